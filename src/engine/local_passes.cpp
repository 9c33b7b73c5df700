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

/// The kernels of one direction: its lines may have radices of their own.
Recipe row_recipe(const PassContext& context, const LinePlan& lines, std::string_view direction)
{
    const Plan& plan = context.plan;
    Defines defines;
    defines.add_lines(precision_define(plan.problem.precision))
        .add_lines(line_defines(lines.radices, lines.local, true))
        .add_lines(butterfly_defines(lines.butterflies, lines.radices))
        .add_lines(image_defines(plan))
        .add_lines(spectrum_defines(plan))
        .add("PACKED_CHANNELS", plan.packing == Packing::channels)
        .add("L", lines.lines)
        .add_scalar("SCALE", result_scale(plan), plan.problem.precision)
        .add("FIXED_GROUP", fixed_group(context.device))
        .add(direction, 1);
    return {"rows.cl", defines.text(), register_option(lines, context.device)};
}

Recipe rows_recipe(const PassContext& context) { return row_recipe(context, context.plan.rows, "ROWS_FORWARD"); }
Recipe rows_back_recipe(const PassContext& context)
{
    return row_recipe(context, context.plan.rows_back, "ROWS_INVERSE");
}

/// Of the columns there; those back follow them.
std::vector<std::complex<double>> column_twiddles(const LinePlan& columns)
{
    return columns.local.order == LineOrder::in_place ? in_place_twiddle_tables(columns.radices)
                                                      : twiddle_tables(columns.radices);
}

Recipe columns_recipe(const PassContext& context)
{
    const Plan& plan = context.plan;
    Defines defines;
    defines.add_lines(precision_define(plan.problem.precision))
        .add_lines(line_defines(plan.columns.radices, plan.columns.local, false))
        .add_lines(butterfly_defines(plan.columns.butterflies, plan.columns.radices))
        .add_lines(spectrum_defines(plan))
        .add("CT", plan.columns.lines)
        .add("LOADED_Y", plan.y.loaded)
        .add("ROW_TABLE", plan.y.extended())
        .add("OUT_HEIGHT", plan.output.height)
        .add("PSF_PLANES", plan.psf_planes())
        .add("SEPARATE", plan.passes == Passes::separate)
        .add_scalar("COLUMN_SCALE", column_scale(plan), plan.problem.precision)
        .add("BACK_TWIDDLES", static_cast<long long>(column_twiddles(plan.columns).size()))
        .add("FIXED_GROUP", fixed_group(context.device));
    return {"columns.cl", defines.text(), register_option(plan.columns, context.device)};
}

class LocalRows : public RowPass {
public:
    explicit LocalRows(const PassContext& context) : plan_(context.plan)
    {
        const cl::Program forward = build(context.device, context.kernels, rows_recipe(context));
        forward_ = cl::Kernel(forward, "rows_forward");
        psf_forward_ = cl::Kernel(forward, "psf_rows_forward");
        inverse_ = cl::Kernel(build(context.device, context.kernels, rows_back_recipe(context)), "rows_inverse");
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

    void psf_forward(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& spectra, int plane) override
    {
        launcher.run("psf rows", psf_forward_, static_cast<std::size_t>(packs_of(plan_, psf.height)),
                     group_size(plan_.rows), psf.weights, spectra, twiddles_, psf.columns, static_cast<cl_uint>(plane),
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
    Plan plan_;
    cl::Kernel forward_, psf_forward_, inverse_;
    cl::Buffer twiddles_, back_twiddles_, columns_;
};

class LocalColumns : public ColumnPass {
public:
    explicit LocalColumns(const PassContext& context)
        : plan_(context.plan), group_(static_cast<std::size_t>(plan_.columns.lines) * plan_.columns.local.items)
    {
        const cl::Program program = build(context.device, context.kernels, columns_recipe(context));
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
        std::vector<std::complex<double>> tables = column_twiddles(plan_.columns);
        const auto back = twiddle_tables(reversed(plan_.columns.radices));
        tables.insert(tables.end(), back.begin(), back.end());
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

    void psf_forward(Launcher& launcher, const cl::Buffer& spectra, const PsfBuffers& psf, const cl::Buffer& transfer,
                     int plane) override
    {
        launcher.run("psf columns", psf_forward_, column_groups(), group_, spectra, transfer, twiddles_, psf.rows,
                     static_cast<cl_uint>(plane));
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

std::vector<Recipe> local_recipes(const PassContext& context)
{
    std::vector<Recipe> recipes;
    if (context.plan.lanes > 1) return recipes;
    if (context.plan.columns.residence == Residence::local) recipes.push_back(columns_recipe(context));
    if (context.plan.rows.residence == Residence::local) {
        recipes.push_back(rows_back_recipe(context));
        recipes.push_back(rows_recipe(context));
    }
    return recipes;
}

std::unique_ptr<RowPass> make_local_rows(const PassContext& context) { return std::make_unique<LocalRows>(context); }

std::unique_ptr<ColumnPass> make_local_columns(const PassContext& context)
{
    return std::make_unique<LocalColumns>(context);
}

}  // namespace clconv
