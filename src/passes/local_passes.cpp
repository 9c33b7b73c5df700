// SPDX-License-Identifier: Apache-2.0
// Passes with each line in one work-group: one launch each.

#include "base/ceil_div.h"
#include "fft/twiddles.h"
#include "opencl/buffers.h"
#include "passes/line_tables.h"
#include "passes/pass_names.h"
#include "passes/passes.h"
#include "passes/recipes.h"
#include "passes/scalars.h"
#include "passes/sizes.h"

namespace clconv {
namespace {

/// Work-items of a work-group.
std::size_t group_size(const LinePlan& pass) { return static_cast<std::size_t>(pass.lines) * pass.local.items; }

/// The image that results are blended with; none where they are not. (A launch takes longer for each buffer that it
/// has: docs/decisions/059-fewer-buffers-a-launch.md)
cl::Buffer blended_with(const Problem& problem, const ImageBuffers& image)
{
    return problem.blend.blend == Blend::none ? cl::Buffer() : image.input;
}

/// The twiddles of rows.
cl::Buffer row_table(const PassContext& context, const std::vector<int>& radices)
{
    const Precision precision = context.plan.problem.precision;
    return line_table(context.device, {.kind = "rows", .radices = radices, .precision = precision},
                      [&] { return upload_scalars(context.device, twiddle_tables(radices), precision); });
}

class LocalRows : public RowPass {
public:
    explicit LocalRows(const PassContext& context) : plan_(context.plan), fft_(plan_.fft()), sizes_(sizes_of(plan_))
    {
        const DeviceTraits& traits = context.device.info().traits;
        const BuiltProgram there = build(context.device, context.kernels, local_rows_recipe(plan_, traits));
        forward_ = Kernel(there, "rows_forward");
        psf_forward_ = Kernel(there, "psf_rows_forward");
        const BuiltProgram back = build(context.device, context.kernels, local_rows_back_recipe(plan_, traits));
        inverse_ = Kernel(back, "rows_inverse");
        twiddles_ = row_table(context, fft_.rows.radices);
        back_twiddles_ = row_table(context, reversed(fft_.rows_back.radices));
        if (fft_.x.extended()) columns_ = upload(context.device, source_table(fft_.x, plan_.problem.border));
    }

    void forward(Launcher& launcher, const ImageBuffers& image, const cl::Buffer& spectra, int first_plane) override
    {
        const int packs = packs_of(fft_.spectrum, plan_.problem.image.height);
        launcher.run(pass::kRows, forward_, {static_cast<std::size_t>(packs) * fft_.planes, image.images},
                     group_size(fft_.rows), named("samples", image.input), named("intermediate", spectra),
                     named("twiddles", twiddles_), named("source_column", columns_), named("bias", image.bias),
                     named("first_plane", static_cast<cl_uint>(first_plane)), named("given", sizes_));
    }

    void psf_forward(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& spectra, int plane) override
    {
        launcher.run(pass::kPsfRows, psf_forward_, static_cast<std::size_t>(packs_of(fft_.spectrum, psf.height)),
                     group_size(fft_.rows), named("psf", psf.weights), named("intermediate", spectra),
                     named("twiddles", twiddles_), named("source_column", psf.columns),
                     named("plane", static_cast<cl_uint>(plane)), named("width", static_cast<cl_uint>(psf.width)),
                     named("height", static_cast<cl_uint>(psf.height)), named("given", sizes_));
    }

    void inverse(Launcher& launcher, const cl::Buffer& spectra, const ImageBuffers& image, int first_plane) override
    {
        const int packs = packs_of(fft_.spectrum, plan_.output.height);
        const auto channels = static_cast<std::size_t>(fft_.channels_back(plan_.problem.channels));
        launcher.run(
            pass::kRowsBack, inverse_, {static_cast<std::size_t>(packs) * fft_.planes / channels, image.images},
            group_size(fft_.rows_back) * channels, named("intermediate", spectra), named("samples", image.output),
            named("image", blended_with(plan_.problem, image)), named("twiddles", back_twiddles_),
            named("restore", image.restore), named("weight", image.weight), named("mask", image.mask),
            named("first_plane", static_cast<cl_uint>(first_plane)), named("given", sizes_));
    }

private:
    Plan plan_;
    const FftPlan& fft_;
    Sizes sizes_;
    Kernel forward_, psf_forward_, inverse_;
    cl::Buffer twiddles_, back_twiddles_;
    cl::Buffer columns_;  ///< an extended axis: source columns
};

class LocalStep : public StepPass {
public:
    LocalStep(const PassContext& context, const Plan& back, const StepShape& shape)
        : fft_(context.plan.fft()),
          ratio_sizes_(sizes_of(context.plan)),
          update_sizes_(sizes_of(back)),
          twiddles_(row_table(context, fft_.rows.radices)),
          back_twiddles_(row_table(context, reversed(fft_.rows.radices)))
    {
        const BuiltProgram program = build(context.device, context.kernels,
                                           local_step_recipe(context.plan, shape, context.device.info().traits));
        to_ratios_ = Kernel(program, "rows_to_ratios");
        to_estimate_ = Kernel(program, "rows_to_estimate");
    }

    void to_ratios(Launcher& launcher, const cl::Buffer& spectra, const RowStep& step) override
    {
        launcher.run(pass::kRatioRows, to_ratios_, groups(), group_size(fft_.rows), named("intermediate", spectra),
                     named("twiddles", twiddles_), named("back_twiddles", back_twiddles_),
                     named("samples", step.samples), named("weights", step.weights), named("partial", step.partial),
                     named("numbers", step.numbers), named("restore", step.restore),
                     named("background", step.background), named("first", static_cast<cl_uint>(step.first)),
                     named("given", ratio_sizes_));
    }
    void to_estimate(Launcher& launcher, const cl::Buffer& spectra, const RowStep& step) override
    {
        launcher.run(pass::kUpdateRows, to_estimate_, groups_of_rows(update_sizes_.out_height), group_size(fft_.rows),
                     named("intermediate", spectra), named("twiddles", twiddles_),
                     named("back_twiddles", back_twiddles_), named("samples", step.samples),
                     named("weights", step.weights), named("before", step.runs_ahead ? step.before : step.samples),
                     named("restore", step.restore),
                     named("past_momentum", static_cast<cl_float>(step.runs_ahead ? step.past_momentum : 0)),
                     named("momentum", static_cast<cl_float>(step.runs_ahead ? step.momentum : 0)),
                     named("even", in_vector(step.even)), named("given", update_sizes_));
    }
    [[nodiscard]] std::size_t groups() const override { return groups_of_rows(ratio_sizes_.out_height); }

private:
    [[nodiscard]] std::size_t groups_of_rows(int rows) const
    {
        return static_cast<std::size_t>(packs_of(fft_.spectrum, rows)) * fft_.planes;
    }

    FftPlan fft_;
    Sizes ratio_sizes_, update_sizes_;
    Kernel to_ratios_, to_estimate_;
    cl::Buffer twiddles_, back_twiddles_;
};

class LocalColumns : public ColumnPass {
public:
    explicit LocalColumns(const PassContext& context)
        : plan_(context.plan), fft_(plan_.fft()), sizes_(sizes_of(plan_)), group_(group_size(fft_.columns))
    {
        const BuiltProgram program =
            build(context.device, context.kernels, local_columns_recipe(plan_, context.device.info().traits));
        if (fft_.passes == Passes::separate) {
            forward_ = Kernel(program, "forward_columns");
            multiply_ = Kernel(program, pairs() ? "multiply_pairs" : "multiply_columns");
            inverse_ = Kernel(program, "inverse_columns");
            spectrum_ = allocate(context.device, fft_.separate_cells() * 2 * scalar_bytes(plan_.problem.precision));
        } else {
            convolve_ = Kernel(program, "convolve_columns");
        }
        psf_forward_ = Kernel(program, "psf_columns_forward");
        const bool in_place = fft_.columns.local.order == LineOrder::in_place;
        twiddles_ = line_table(context.device,
                               {.kind = in_place ? "columns in place" : "columns",
                                .radices = fft_.columns.radices,
                                .precision = plan_.problem.precision},
                               [&] {
                                   std::vector<std::complex<double>> tables = column_twiddles(fft_.columns);
                                   const auto back = twiddle_tables(reversed(fft_.columns.radices));
                                   tables.insert(tables.end(), back.begin(), back.end());
                                   return upload_scalars(context.device, tables, plan_.problem.precision);
                               });
        if (has_row_table(plan_)) rows_ = upload(context.device, source_table(fft_.y, plan_.problem.border));
    }

    void convolve(Launcher& launcher, const cl::Buffer& source, const cl::Buffer& spectra, const cl::Buffer& transfer,
                  const Planes& planes) override
    {
        const auto first = static_cast<cl_uint>(planes.first);
        const std::size_t groups = column_groups() * fft_.planes;
        if (fft_.passes == Passes::fused) {
            const bool in_parts = fft_.y.parts > 1;
            launcher.run(pass::kColumns, convolve_, {groups, in_parts ? fft_.y.parts : planes.images}, group_,
                         named("intermediate", source), named("parted", in_parts ? spectra : cl::Buffer()),
                         named("transfer", transfer), named("twiddles", twiddles_), named("source_row", rows_),
                         named("first_plane", first), named("given", sizes_));
            return;
        }
        launcher.run(pass::kColumns, forward_, groups, group_, named("intermediate", spectra),
                     named("spectrum", spectrum_), named("twiddles", twiddles_), named("source_row", rows_),
                     named("given", sizes_));
        const std::size_t multiplied = pairs() ? pair_groups() * fft_.planes : groups;
        launcher.run(pass::kColumns, multiply_, multiplied, group_, named("spectrum", spectrum_),
                     named("transfer", transfer), named("first_plane", first), named("given", sizes_));
        launcher.run(pass::kColumns, inverse_, groups, group_, named("intermediate", spectra),
                     named("spectrum", spectrum_), named("twiddles", twiddles_), named("given", sizes_));
    }

    void psf_forward(Launcher& launcher, const cl::Buffer& spectra, const PsfBuffers& psf, const cl::Buffer& transfer,
                     int plane) override
    {
        launcher.run(pass::kPsfColumns, psf_forward_, column_groups(), group_, named("intermediate", spectra),
                     named("transfer", transfer), named("twiddles", twiddles_), named("source_row", psf.rows),
                     named("psf_plane", static_cast<cl_uint>(plane)), named("given", sizes_));
    }

private:
    [[nodiscard]] std::size_t column_groups() const
    {
        return static_cast<std::size_t>(fft_.spectrum.bundles) * fft_.spectrum.bundle_columns / fft_.columns.lines;
    }
    [[nodiscard]] bool pairs() const { return fft_.product == Product::integrated; }
    /// Work-groups with columns 0 .. columns / 2, whose work-items own those behind them too.
    [[nodiscard]] std::size_t pair_groups() const
    {
        return static_cast<std::size_t>(ceil_div(fft_.spectrum.columns / 2 + 1, fft_.columns.lines));
    }

    Plan plan_;
    const FftPlan& fft_;
    Sizes sizes_;
    std::size_t group_;
    Kernel convolve_, forward_, multiply_, inverse_, psf_forward_;
    cl::Buffer twiddles_;
    cl::Buffer rows_;      ///< an extended axis: source rows
    cl::Buffer spectrum_;  ///< separate passes: the columns' spectrum between the launches
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

std::unique_ptr<StepPass> make_local_step(const PassContext& context, const Plan& back, const StepShape& shape)
{
    return std::make_unique<LocalStep>(context, back, shape);
}

std::unique_ptr<ColumnPass> make_local_columns(const PassContext& context)
{
    return std::make_unique<LocalColumns>(context);
}

}  // namespace clconv
