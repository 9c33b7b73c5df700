// Passes whose lines live in one work-group: one launch each.

#include "engine/defines.h"
#include "engine/passes.h"
#include "engine/scalars.h"
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

/// Work-items of a work-group.
std::size_t group_size(const LinePlan& pass) { return static_cast<std::size_t>(pass.lines) * pass.local.items; }

class LocalRows : public RowPass {
public:
    explicit LocalRows(const PassContext& context) : plan_(context.plan)
    {
        const cl::Program forward = program(context, plan_.rows, "ROWS_FORWARD");
        forward_ = cl::Kernel(forward, "rows_forward");
        psf_forward_ = cl::Kernel(forward, "psf_rows_forward");
        inverse_ = cl::Kernel(program(context, plan_.rows_back, "ROWS_INVERSE"), "rows_inverse");
        const Precision precision = plan_.problem.precision;
        twiddles_ = upload_scalars(context.device, twiddle_tables(plan_.rows.radices), precision);
        back_twiddles_ = upload_scalars(context.device, twiddle_tables(reversed(plan_.rows_back.radices)), precision);
        columns_ = upload(context.device, source_table(plan_.x, plan_.problem.border));
    }

    void forward(Launcher& launcher, const ImageBuffers& image, const cl::Buffer& spectra, int first_plane) override
    {
        const int packs = packs_of(plan_, plan_.problem.image.height);
        launcher.run("rows", forward_, static_cast<std::size_t>(packs) * plan_.planes, group_size(plan_.rows),
                     image.input, spectra, twiddles_, columns_, image.bias, static_cast<cl_uint>(first_plane));
    }

    void psf_forward(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& spectra) override
    {
        const int packs = packs_of(plan_, psf.height);
        launcher.run("psf rows", psf_forward_, static_cast<std::size_t>(packs) * plan_.psf_planes(),
                     group_size(plan_.rows), psf.weights, spectra, twiddles_, psf.columns,
                     static_cast<cl_uint>(psf.width), static_cast<cl_uint>(psf.height));
    }

    void inverse(Launcher& launcher, const cl::Buffer& spectra, const ImageBuffers& image, int first_plane) override
    {
        const int packs = packs_of(plan_, plan_.output.height);
        launcher.run("rows back", inverse_, static_cast<std::size_t>(packs) * plan_.planes, group_size(plan_.rows_back),
                     spectra, image.output, back_twiddles_, image.restore, image.weight,
                     static_cast<cl_uint>(first_plane));
    }

private:
    /// The kernels of one direction: their lines may have radices of their own.
    cl::Program program(const PassContext& context, const LinePlan& lines, std::string_view direction) const
    {
        Defines defines;
        defines.add_lines(precision_define(plan_.problem.precision))
            .add_lines(line_defines(lines.radices, lines.local, true))
            .add_lines(butterfly_define(lines.butterflies))
            .add_lines(image_defines(plan_))
            .add_lines(spectrum_defines(plan_))
            .add("PACKED_CHANNELS", plan_.packing == Packing::channels)
            .add("L", lines.lines)
            .add_scalar("SCALE", result_scale(plan_), plan_.problem.precision)
            .add("FIXED_GROUP", fixed_group(context.device))
            .add(direction, 1);
        return build(context.device, context.kernels,
                     {"rows.cl", defines.text(), register_option(lines, context.device)});
    }

    Plan plan_;
    cl::Kernel forward_, psf_forward_, inverse_;
    cl::Buffer twiddles_, back_twiddles_, columns_;
};

class LocalColumns : public ColumnPass {
public:
    explicit LocalColumns(const PassContext& context)
        : plan_(context.plan), group_(static_cast<std::size_t>(plan_.columns.lines) * plan_.columns.local.items)
    {
        const bool in_place = plan_.columns.local.order == LineOrder::in_place;
        std::vector<std::complex<double>> tables =
            in_place ? in_place_twiddle_tables(plan_.columns.radices) : twiddle_tables(plan_.columns.radices);
        const auto back = twiddle_tables(reversed(plan_.columns.radices));
        Defines defines;
        defines.add_lines(precision_define(plan_.problem.precision))
            .add_lines(line_defines(plan_.columns.radices, plan_.columns.local, false))
            .add_lines(butterfly_define(plan_.columns.butterflies))
            .add_lines(spectrum_defines(plan_))
            .add("CT", plan_.columns.lines)
            .add("LOADED_Y", plan_.y.loaded)
            .add("ROW_TABLE", plan_.y.extended())
            .add("OUT_HEIGHT", plan_.output.height)
            .add("PSF_PLANES", plan_.psf_planes())
            .add("SEPARATE", plan_.passes == Passes::separate)
            .add_scalar("COLUMN_SCALE", column_scale(plan_), plan_.problem.precision)
            .add("BACK_TWIDDLES", static_cast<long long>(tables.size()))
            .add("FIXED_GROUP", fixed_group(context.device));
        tables.insert(tables.end(), back.begin(), back.end());
        const cl::Program program =
            build(context.device, context.kernels,
                  {"columns.cl", defines.text(), register_option(plan_.columns, context.device)});
        if (plan_.passes == Passes::separate) {
            forward_ = cl::Kernel(program, "forward_columns");
            multiply_ = cl::Kernel(program, "multiply_columns");
            inverse_ = cl::Kernel(program, "inverse_columns");
            spectrum_ = allocate(context.device,
                                 plan_.transfer_cells() * plan_.planes * 2 * scalar_bytes(plan_.problem.precision));
        } else {
            convolve_ = cl::Kernel(program, "convolve_columns");
        }
        psf_forward_ = cl::Kernel(program, "psf_columns_forward");
        twiddles_ = upload_scalars(context.device, tables, plan_.problem.precision);
        rows_ = upload(context.device, source_table(plan_.y, plan_.problem.border));
    }

    void convolve(Launcher& launcher, const cl::Buffer& spectra, const cl::Buffer& transfer, int first_plane) override
    {
        const auto first = static_cast<cl_uint>(first_plane);
        const std::size_t groups = column_groups() * plan_.planes;
        if (plan_.passes == Passes::separate) {
            launcher.run("columns", forward_, groups, group_, spectra, spectrum_, twiddles_, rows_);
            launcher.run("columns", multiply_, groups, group_, spectrum_, transfer, first);
            launcher.run("columns", inverse_, groups, group_, spectra, spectrum_, twiddles_);
        } else {
            launcher.run("columns", convolve_, groups, group_, spectra, transfer, twiddles_, rows_, first);
        }
    }

    void psf_forward(Launcher& launcher, const cl::Buffer& spectra, const PsfBuffers& psf,
                     const cl::Buffer& transfer) override
    {
        launcher.run("psf columns", psf_forward_, column_groups() * plan_.psf_planes(), group_, spectra, transfer,
                     twiddles_, psf.rows, static_cast<cl_uint>(psf.height));
    }

private:
    [[nodiscard]] std::size_t column_groups() const
    {
        return static_cast<std::size_t>(plan_.spectrum.tiles) * plan_.spectrum.tile_columns / plan_.columns.lines;
    }

    Plan plan_;
    std::size_t group_;
    cl::Kernel convolve_, forward_, multiply_, inverse_, psf_forward_;
    cl::Buffer twiddles_, rows_;
    cl::Buffer spectrum_;  ///< separate passes: of the columns, between the launches
};

}  // namespace

PsfBuffers::PsfBuffers(Device& device, const PlacedPsf& psf, Precision precision)
    : width(psf.width),
      height(psf.height),
      channels(psf.channels),
      weights(upload_scalars(device, psf.weights, precision)),
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
