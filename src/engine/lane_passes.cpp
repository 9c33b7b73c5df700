// Passes of a CPU: a work-item owns whole lines, eight side by side.

#include "engine/defines.h"
#include "engine/passes.h"
#include "engine/scalars.h"
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
        const Precision precision = plan_.problem.precision;
        defines.add_lines(precision_define(precision))
            .add_lines(lane_defines(own, plan_.rows.butterflies))
            .add_lines(image_defines(plan_))
            .add("FIRST_SOURCE", plan_.x.first_source)
            .add_scalar("SCALE", result_scale(plan_), precision);
        add_intermediate(defines, plan_);
        const cl::Program program = build(context.device, context.kernels, {"lane_rows.cl", defines.text(), ""});
        forward_ = cl::Kernel(program, "lane_rows_forward");
        inverse_ = cl::Kernel(program, "lane_rows_inverse");
        twiddles_ = upload_scalars(context.device, lane_forward_twiddles(own, plan_.rows.butterflies), precision);
        back_twiddles_ = upload_scalars(context.device, lane_back_twiddles(own, plan_.rows.butterflies), precision);
        place_ = upload(context.device, lane_places(own));
        joint_ = upload_scalars(context.device, joint_twiddles(plan_.x.length / kLanes), precision);
        columns_ = upload(context.device, source_table(plan_.x, plan_.problem.border));
    }

    void forward(Launcher& launcher, const ImageBuffers& image, const cl::Buffer& spectra, int first_plane) override
    {
        launcher.run("rows", forward_, pairs(plan_.problem.image.height) * plan_.planes, 1, image.input, image.bias,
                     spectra, twiddles_, place_, joint_, columns_, image.bias, static_cast<cl_uint>(first_plane),
                     cl_uint{0}, cl_uint{0});
    }

    void psf_forward(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& spectra, int plane) override
    {
        launcher.run("psf rows", forward_, pairs(psf.height), 1, psf.weights, psf.weights, spectra, twiddles_, place_,
                     joint_, psf.columns, psf.weights, static_cast<cl_uint>(plane), static_cast<cl_uint>(psf.width),
                     static_cast<cl_uint>(psf.height));
    }

    void inverse(Launcher& launcher, const cl::Buffer& spectra, const ImageBuffers& image, int first_plane) override
    {
        launcher.run("rows back", inverse_, pairs(plan_.output.height) * plan_.planes, 1, spectra, image.output,
                     back_twiddles_, place_, joint_, image.restore, image.weight, static_cast<cl_uint>(first_plane));
    }

private:
    Plan plan_;
    cl::Kernel forward_, inverse_;
    cl::Buffer twiddles_, back_twiddles_, place_, joint_, columns_;
};

class LaneColumns : public ColumnPass {
public:
    explicit LaneColumns(const PassContext& context) : plan_(context.plan)
    {
        Defines defines;
        const Precision precision = plan_.problem.precision;
        defines.add_lines(precision_define(precision))
            .add_lines(lane_defines(plan_.columns.radices, plan_.columns.butterflies))
            .add("LOADED_Y", plan_.y.loaded)
            .add("ROW_TABLE", plan_.y.extended())
            .add("OUT_HEIGHT", plan_.output.height)
            .add("PSF_CHANNELS", plan_.problem.psf_channels)
            .add_scalar("COLUMN_SCALE", column_scale(plan_), precision);
        add_intermediate(defines, plan_);
        const cl::Program program = build(context.device, context.kernels, {"lane_columns.cl", defines.text(), ""});
        convolve_ = cl::Kernel(program, "convolve_lanes");
        forward_twiddles_ = upload_scalars(
            context.device, lane_forward_twiddles(plan_.columns.radices, plan_.columns.butterflies), precision);
        back_twiddles_ = upload_scalars(
            context.device, lane_back_twiddles(plan_.columns.radices, plan_.columns.butterflies), precision);
        rows_ = upload(context.device, source_table(plan_.y, plan_.problem.border));
    }

    void convolve(Launcher& launcher, const cl::Buffer& spectra, const cl::Buffer& transfer, int first_plane) override
    {
        launcher.run("columns", convolve_, groups() * plan_.planes, 1, spectra, transfer, forward_twiddles_,
                     back_twiddles_, rows_, static_cast<cl_uint>(first_plane), cl_uint{0});
    }

    void psf_forward(Launcher& launcher, const cl::Buffer& spectra, const PsfBuffers& psf, const cl::Buffer& transfer,
                     int plane) override
    {
        launcher.run("psf columns", convolve_, groups(), 1, spectra, transfer, forward_twiddles_, back_twiddles_,
                     psf.rows, static_cast<cl_uint>(plane), cl_uint{1});
    }

private:
    [[nodiscard]] std::size_t groups() const
    {
        return static_cast<std::size_t>(plan_.spectrum.columns + kLanes - 1) / kLanes;
    }

    Plan plan_;
    cl::Kernel convolve_;
    cl::Buffer forward_twiddles_, back_twiddles_, rows_;
};

}  // namespace

std::unique_ptr<RowPass> make_lane_rows(const PassContext& context) { return std::make_unique<LaneRows>(context); }

std::unique_ptr<ColumnPass> make_lane_columns(const PassContext& context)
{
    return std::make_unique<LaneColumns>(context);
}

}  // namespace clconv
