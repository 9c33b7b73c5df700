// Passes whose lines live in one work-group: one launch each.

#include "engine/defines.h"
#include "engine/passes.h"
#include "fft/twiddles.h"
#include "opencl/buffers.h"
#include "opencl/program.h"

#include <algorithm>

namespace clconv {
namespace {

std::vector<int> reversed(const std::vector<int>& radices) { return {radices.rbegin(), radices.rend()}; }

/// NVIDIA's cap on registers. (As one word with "="; a space fails the build.)
std::string register_option(const LinePlan& pass, const Device& device)
{
    if (pass.registers == 0 || !device.info().traits.is_nvidia) return "";
    return "-cl-nv-maxrregcount=" + std::to_string(pass.registers);
}

/// Without the attribute NVIDIA's compiler chooses registers better, and heeds a cap on them; PoCL wants it.
int fixed_group(const Device& device) { return device.info().traits.is_nvidia ? 0 : 1; }

class LocalRows : public RowPass {
public:
    explicit LocalRows(const PassContext& context)
        : plan_(context.plan), group_(static_cast<std::size_t>(plan_.rows.lines) * plan_.rows.local.items)
    {
        Defines defines;
        defines.add_lines(line_defines(plan_.rows.radices, plan_.rows.local, true))
            .add_lines(image_defines(plan_))
            .add_lines(spectrum_defines(plan_))
            .add("L", plan_.rows.lines)
            .add_float("SCALE", result_scale(plan_))
            .add("FIXED_GROUP", fixed_group(context.device));
        const cl::Program program = build(context.device, context.kernels,
                                          {"rows.cl", defines.text(), register_option(plan_.rows, context.device)});
        forward_ = cl::Kernel(program, "rows_forward");
        psf_forward_ = cl::Kernel(program, "psf_rows_forward");
        inverse_ = cl::Kernel(program, "rows_inverse");
        twiddles_ = upload(context.device, twiddle_tables(plan_.rows.radices));
        back_twiddles_ = upload(context.device, twiddle_tables(reversed(plan_.rows.radices)));
        columns_ = upload(context.device, source_table(plan_.x, plan_.problem.border));
    }

    void forward(Launcher& launcher, const ImageBuffers& image, const cl::Buffer& spectra, int first_channel) override
    {
        const int packs = packs_of(plan_, plan_.problem.image.height);
        launcher.run("rows", forward_, static_cast<std::size_t>(packs) * plan_.planes, group_, image.input, spectra,
                     twiddles_, columns_, image.bias, static_cast<cl_uint>(first_channel));
    }

    void psf_forward(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& spectra) override
    {
        const int packs = packs_of(plan_, psf.height);
        launcher.run("psf rows", psf_forward_, static_cast<std::size_t>(packs) * psf.channels, group_, psf.weights,
                     spectra, twiddles_, psf.columns, static_cast<cl_uint>(psf.width),
                     static_cast<cl_uint>(psf.height));
    }

    void inverse(Launcher& launcher, const cl::Buffer& spectra, const ImageBuffers& image, int first_channel) override
    {
        const int packs = packs_of(plan_, plan_.output.height);
        launcher.run("rows back", inverse_, static_cast<std::size_t>(packs) * plan_.planes, group_, spectra,
                     image.output, back_twiddles_, image.restore, image.weight, static_cast<cl_uint>(first_channel));
    }

private:
    Plan plan_;
    std::size_t group_;
    cl::Kernel forward_, psf_forward_, inverse_;
    cl::Buffer twiddles_, back_twiddles_, columns_;
};

class LocalColumns : public ColumnPass {
public:
    explicit LocalColumns(const PassContext& context)
        : plan_(context.plan), group_(static_cast<std::size_t>(plan_.columns.lines) * plan_.columns.local.items)
    {
        std::vector<std::complex<float>> tables = twiddle_tables(plan_.columns.radices);
        const auto back = twiddle_tables(reversed(plan_.columns.radices));
        Defines defines;
        defines.add_lines(line_defines(plan_.columns.radices, plan_.columns.local, false))
            .add_lines(spectrum_defines(plan_))
            .add("CT", plan_.columns.lines)
            .add("LOADED_Y", plan_.y.loaded)
            .add("ROW_TABLE", plan_.y.extended())
            .add("OUT_HEIGHT", plan_.output.height)
            .add("PSF_CHANNELS", plan_.problem.psf_channels)
            .add("BACK_TWIDDLES", static_cast<long long>(tables.size()))
            .add("FIXED_GROUP", fixed_group(context.device));
        tables.insert(tables.end(), back.begin(), back.end());
        const cl::Program program =
            build(context.device, context.kernels,
                  {"columns.cl", defines.text(), register_option(plan_.columns, context.device)});
        convolve_ = cl::Kernel(program, "convolve_columns");
        psf_forward_ = cl::Kernel(program, "psf_columns_forward");
        twiddles_ = upload(context.device, tables);
        rows_ = upload(context.device, source_table(plan_.y, plan_.problem.border));
    }

    void convolve(Launcher& launcher, const cl::Buffer& spectra, const cl::Buffer& transfer, int first_channel) override
    {
        launcher.run("columns", convolve_, column_groups() * plan_.planes, group_, spectra, transfer, twiddles_, rows_,
                     static_cast<cl_uint>(first_channel));
    }

    void psf_forward(Launcher& launcher, const cl::Buffer& spectra, const PsfBuffers& psf,
                     const cl::Buffer& transfer) override
    {
        launcher.run("psf columns", psf_forward_, column_groups() * psf.channels, group_, spectra, transfer, twiddles_,
                     psf.rows, static_cast<cl_uint>(psf.height));
    }

private:
    [[nodiscard]] std::size_t column_groups() const
    {
        return static_cast<std::size_t>(plan_.spectrum.tiles) * plan_.spectrum.tile_columns / plan_.columns.lines;
    }

    Plan plan_;
    std::size_t group_;
    cl::Kernel convolve_, psf_forward_;
    cl::Buffer twiddles_, rows_;
};

}  // namespace

PsfBuffers::PsfBuffers(Device& device, const PlacedPsf& psf)
    : width(psf.width),
      height(psf.height),
      channels(psf.channels),
      weights(upload(device, psf.weights)),
      columns(upload(device, psf.columns)),
      rows(upload(device, psf.rows))
{
}

std::unique_ptr<RowPass> make_local_rows(const PassContext& context) { return std::make_unique<LocalRows>(context); }

std::unique_ptr<ColumnPass> make_local_columns(const PassContext& context)
{
    return std::make_unique<LocalColumns>(context);
}

}  // namespace clconv
