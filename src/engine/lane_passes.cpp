// Passes of a CPU: a work-item owns whole lines, eight side by side.

#include "engine/defines.h"
#include "engine/passes.h"
#include "fft/lane_line.h"
#include "opencl/buffers.h"
#include "opencl/program.h"

#include <span>

namespace clconv {
namespace {

/// What both passes know of the intermediate.
void add_intermediate(Defines& defines, const Plan& plan)
{
    defines.add("PITCH", plan.spectrum.tiles)
        .add("GROUPS", (plan.spectrum.columns + kLanes - 1) / kLanes)
        .add("ROWS", 2 * plan.spectrum.packs)
        .add("PLANES", plan.planes);
}

std::size_t pairs(int rows) { return static_cast<std::size_t>(rows + 1) / 2; }

class LaneRows : public RowPass {
public:
    explicit LaneRows(const PassContext& context) : plan_(context.plan)
    {
        const std::span<const int> own = std::span(plan_.rows.radices).first(plan_.rows.radices.size() - 1);
        Defines defines;
        defines.add_lines(lane_defines(own))
            .add_lines(image_defines(plan_))
            .add("FIRST_SOURCE", plan_.x.first_source)
            .add_float("SCALE", result_scale(plan_));
        add_intermediate(defines, plan_);
        const cl::Program program = build(context.device, context.kernels, {"lane_rows.cl", defines.text(), ""});
        forward_ = cl::Kernel(program, "lane_rows_forward");
        psf_forward_ = cl::Kernel(program, "lane_psf_rows_forward");
        inverse_ = cl::Kernel(program, "lane_rows_inverse");
        twiddles_ = upload(context.device, lane_forward_twiddles(own));
        back_twiddles_ = upload(context.device, lane_back_twiddles(own));
        place_ = upload(context.device, lane_places(own));
        joint_ = upload(context.device, joint_twiddles(plan_.x.length / kLanes));
        columns_ = upload(context.device, source_table(plan_.x, plan_.problem.border));
    }

    void forward(Launcher& launcher, const ImageBuffers& image, const cl::Buffer& spectra, int first_channel) override
    {
        launcher.run("rows", forward_, pairs(plan_.problem.image.height) * plan_.planes, 1, image.input, spectra,
                     twiddles_, place_, joint_, columns_, image.bias, static_cast<cl_uint>(first_channel));
    }

    void psf_forward(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& spectra) override
    {
        launcher.run("psf rows", psf_forward_, pairs(psf.height) * psf.channels, 1, psf.weights, spectra, twiddles_,
                     place_, joint_, psf.columns, static_cast<cl_uint>(psf.width), static_cast<cl_uint>(psf.height));
    }

    void inverse(Launcher& launcher, const cl::Buffer& spectra, const ImageBuffers& image, int first_channel) override
    {
        launcher.run("rows back", inverse_, pairs(plan_.output.height) * plan_.planes, 1, spectra, image.output,
                     back_twiddles_, place_, joint_, image.restore, image.weight, static_cast<cl_uint>(first_channel));
    }

private:
    Plan plan_;
    cl::Kernel forward_, psf_forward_, inverse_;
    cl::Buffer twiddles_, back_twiddles_, place_, joint_, columns_;
};

class LaneColumns : public ColumnPass {
public:
    explicit LaneColumns(const PassContext& context) : plan_(context.plan)
    {
        Defines defines;
        defines.add_lines(lane_defines(plan_.columns.radices))
            .add("LOADED_Y", plan_.y.loaded)
            .add("ROW_TABLE", plan_.y.extended())
            .add("OUT_HEIGHT", plan_.output.height)
            .add("PSF_CHANNELS", plan_.problem.psf_channels);
        add_intermediate(defines, plan_);
        const cl::Program program = build(context.device, context.kernels, {"lane_columns.cl", defines.text(), ""});
        convolve_ = cl::Kernel(program, "convolve_lanes");
        psf_forward_ = cl::Kernel(program, "psf_lanes_forward");
        forward_twiddles_ = upload(context.device, lane_forward_twiddles(plan_.columns.radices));
        back_twiddles_ = upload(context.device, lane_back_twiddles(plan_.columns.radices));
        rows_ = upload(context.device, source_table(plan_.y, plan_.problem.border));
    }

    void convolve(Launcher& launcher, const cl::Buffer& spectra, const cl::Buffer& transfer, int first_channel) override
    {
        launcher.run("columns", convolve_, groups() * plan_.planes, 1, spectra, transfer, forward_twiddles_,
                     back_twiddles_, rows_, static_cast<cl_uint>(first_channel));
    }

    void psf_forward(Launcher& launcher, const cl::Buffer& spectra, const PsfBuffers& psf,
                     const cl::Buffer& transfer) override
    {
        launcher.run("psf columns", psf_forward_, groups() * psf.channels, 1, spectra, transfer, forward_twiddles_,
                     psf.rows, static_cast<cl_uint>(psf.height));
    }

private:
    [[nodiscard]] std::size_t groups() const
    {
        return static_cast<std::size_t>(plan_.spectrum.columns + kLanes - 1) / kLanes;
    }

    Plan plan_;
    cl::Kernel convolve_, psf_forward_;
    cl::Buffer forward_twiddles_, back_twiddles_, rows_;
};

}  // namespace

std::unique_ptr<RowPass> make_lane_rows(const PassContext& context) { return std::make_unique<LaneRows>(context); }

std::unique_ptr<ColumnPass> make_lane_columns(const PassContext& context)
{
    return std::make_unique<LaneColumns>(context);
}

}  // namespace clconv
