// SPDX-License-Identifier: Apache-2.0
// Passes of a CPU: a work-item owns a vector of whole lines (docs/decisions/011-lanes-on-cpus.md).

#include "base/ceil_div.h"
#include "fft/lane_line.h"
#include "opencl/buffers.h"
#include "passes/line_tables.h"
#include "passes/pass_names.h"
#include "passes/passes.h"
#include "passes/recipes.h"
#include "passes/scalars.h"
#include "passes/sizes.h"

#include <algorithm>
#include <span>

namespace clconv {
namespace {

std::size_t pairs(int rows) { return static_cast<std::size_t>(ceil_div(rows, 2)); }

/// Local memory for `values` real or imaginary parts of eight lanes each, or of one.
cl::LocalSpaceArg local_scalars(std::size_t values, Precision precision)
{
    return cl::Local(values * scalar_bytes(precision));
}

/// What the lines of rows need.
struct LaneLines {
    explicit LaneLines(const PassContext& context)
    {
        const FftPlan& fft = context.plan.fft();
        const std::span<const int> own = lane_row_radices(fft.rows.radices);
        const Precision precision = context.plan.problem.precision;
        const Butterflies butterflies = fft.rows.butterflies;
        stages = lane_stages_of(own);
        const std::size_t length = fft.x.length;
        lines = local_scalars(2 * length, precision);
        joined = local_scalars(2 * (length + kLanes), precision);
        Device& device = context.device;
        twiddles = lane_forward_table(device, own, butterflies, precision);
        back_twiddles = lane_back_table(device, own, butterflies, precision);
        place = line_table(device, {"places", own}, [&] { return upload(device, lane_places(own)); });
        const int eighth[] = {fft.x.length / kLanes};
        joint = line_table(device, {.kind = "joint", .radices = eighth, .precision = precision},
                           [&] { return upload_scalars(device, joint_twiddles(eighth[0]), precision); });
    }
    LaneStages stages{};
    cl::LocalSpaceArg lines{}, joined{};
    cl::Buffer twiddles, back_twiddles, place, joint;
};

class LaneRows : public RowPass {
public:
    explicit LaneRows(const PassContext& context)
        : plan_(context.plan),
          fft_(plan_.fft()),
          sizes_(sizes_of(plan_)),
          lines_(context),
          rows_(build(context.device, context.kernels, lane_rows_recipe(plan_)), "lane_rows"),
          columns_(upload(context.device, source_table(fft_.x, plan_.problem.border)))
    {
    }

    void forward(Launcher& launcher, const ImageBuffers& image, const cl::Buffer& spectra, int first_plane) override
    {
        run(launcher, pass::kRows, pairs(plan_.problem.image.height) * fft_.planes,
            {.spectra = spectra,
             .first_plane = first_plane,
             .samples = image.input,
             .psf = image.bias,
             .result = image.output,
             .twiddles = lines_.twiddles,
             .columns = columns_,
             .levels = image.bias,
             .weight = image.weight,
             .mask = image.mask,
             .image_row = fft_.image_row});
    }

    void psf_forward(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& spectra, int plane) override
    {
        run(launcher, pass::kPsfRows, pairs(psf.height),
            {.spectra = spectra,
             .first_plane = plane,
             .samples = psf.weights,
             .psf = psf.weights,
             .result = spectra,
             .twiddles = lines_.twiddles,
             .columns = psf.columns,
             .levels = psf.weights,
             .weight = psf.weights,
             .mask = psf.weights,
             .psf_width = psf.width,
             .psf_height = psf.height});
    }

    void inverse(Launcher& launcher, const cl::Buffer& spectra, const ImageBuffers& image, int first_plane) override
    {
        run(launcher, pass::kRowsBack, pairs(plan_.output.height) * fft_.planes,
            {.spectra = spectra,
             .first_plane = first_plane,
             .samples = image.input,
             .psf = image.restore,
             .result = image.output,
             .twiddles = lines_.back_twiddles,
             .columns = columns_,
             .levels = image.restore,
             .weight = image.weight,
             .mask = image.mask,
             .is_back = true});
    }

private:
    /// The arguments of one of the kernel's three tasks. Those that only other tasks need may be any buffer.
    struct Task {
        const cl::Buffer& spectra;
        int first_plane;
        const cl::Buffer& samples;
        const cl::Buffer& psf;
        const cl::Buffer& result;
        const cl::Buffer& twiddles;
        const cl::Buffer& columns;
        const cl::Buffer& levels;  ///< bias for forward, restore for back
        const cl::Buffer& weight;
        const cl::Buffer& mask;
        int psf_width = 0;
        int psf_height = 0;
        bool is_back = false;
        int image_row = 0;  ///< of `spectra`
    };
    void run(Launcher& launcher, const char* pass, std::size_t groups, const Task& task)
    {
        launcher.run(pass, rows_, groups, 1, named("samples", task.samples), named("psf", task.psf),
                     named("intermediate", task.spectra), named("result", task.result),
                     named("twiddles", task.twiddles), named("place", lines_.place), named("joint", lines_.joint),
                     named("source_column", task.columns), named("bias", task.levels), named("restore", task.levels),
                     named("weight", task.weight), named("mask", task.mask),
                     named("first_channel", static_cast<cl_uint>(task.first_plane)),
                     named("psf_width", static_cast<cl_uint>(task.psf_width)),
                     named("psf_height", static_cast<cl_uint>(task.psf_height)),
                     named("is_back", static_cast<cl_uint>(task.is_back)),
                     named("image_row", static_cast<cl_uint>(task.image_row)), named("x", lines_.lines),
                     named("joined", lines_.joined), named("line", lines_.stages), named("given", sizes_));
    }

    Plan plan_;
    const FftPlan& fft_;
    Sizes sizes_;
    LaneLines lines_;
    Kernel rows_;
    cl::Buffer columns_;
};

class LaneStep : public StepPass {
public:
    LaneStep(const PassContext& context, const Plan& back, const StepShape& shape)
        : planes_(context.plan.fft().planes),
          ratio_sizes_(sizes_of(context.plan)),
          update_sizes_(sizes_of(back)),
          lines_(context),
          step_(build(context.device, context.kernels, lane_step_recipe(context.plan, shape)), "lane_rows_step")
    {
    }

    void to_ratios(Launcher& launcher, const cl::Buffer& spectra, const RowStep& step) override
    {
        run(launcher, spectra, step, ratio_sizes_, false);
    }
    void to_estimate(Launcher& launcher, const cl::Buffer& spectra, const RowStep& step) override
    {
        run(launcher, spectra, step, update_sizes_, true);
    }
    [[nodiscard]] std::size_t groups() const override { return pairs(ratio_sizes_.out_height) * planes_; }

private:
    void run(Launcher& launcher, const cl::Buffer& spectra, const RowStep& step, const Sizes& sizes, bool is_update)
    {
        launcher.run(is_update ? pass::kUpdateRows : pass::kRatioRows, step_, pairs(sizes.out_height) * planes_, 1,
                     named("intermediate", spectra), named("twiddles", lines_.twiddles),
                     named("back_twiddles", lines_.back_twiddles), named("place", lines_.place),
                     named("joint", lines_.joint), named("samples", step.samples), named("weights", step.weights),
                     named("before", step.before), named("partial", step.partial), named("numbers", step.numbers),
                     named("restore", step.restore), named("background", step.background),
                     named("past_momentum", static_cast<cl_float>(step.past_momentum)),
                     named("momentum", static_cast<cl_float>(step.momentum)),
                     named("is_update", static_cast<cl_uint>(is_update)),
                     named("runs_ahead", static_cast<cl_uint>(step.runs_ahead)), named("even", in_vector(step.even)),
                     named("first", static_cast<cl_uint>(step.first)), named("x", lines_.lines),
                     named("joined", lines_.joined), named("line", lines_.stages), named("given", sizes));
    }

    int planes_;
    Sizes ratio_sizes_, update_sizes_;
    LaneLines lines_;
    Kernel step_;
};

class LaneColumns : public ColumnPass {
public:
    explicit LaneColumns(const PassContext& context) : plan_(context.plan), fft_(plan_.fft()), sizes_(sizes_of(plan_))
    {
        const std::span<const int> radices = fft_.columns.radices;
        const Precision precision = plan_.problem.precision;
        const Butterflies butterflies = fft_.columns.butterflies;
        convolve_ = Kernel(build(context.device, context.kernels, lane_columns_recipe(plan_)), "convolve_lanes");
        stages_ = lane_stages_of(radices);
        const std::size_t column = 2 * static_cast<std::size_t>(fft_.lanes) * fft_.y.length;
        if (fft_.long_columns) {
            // Several a core, so that one that is late does not hold up the others. Their memory is a core's cache.
            columns_at_once_ = 4 * static_cast<std::size_t>(context.device.info().compute_units);
            long_columns_ = allocate(context.device, columns_at_once_ * column * scalar_bytes(precision));
        } else {
            lines_ = local_scalars(column, precision);
        }
        forward_twiddles_ = lane_forward_table(context.device, radices, butterflies, precision);
        back_twiddles_ = lane_back_table(context.device, radices, butterflies, precision);
        rows_ = upload(context.device, source_table(fft_.y, plan_.problem.border));
    }

    void convolve(Launcher& launcher, const cl::Buffer& source, const cl::Buffer& spectra, const cl::Buffer& transfer,
                  const Planes& planes) override
    {
        run(launcher, pass::kColumns, groups() * fft_.planes,
            {source, spectra, transfer, rows_, planes.first, fft_.conjugates ? -1 : 1, fft_.image_row});
    }

    void psf_forward(Launcher& launcher, const cl::Buffer& spectra, const PsfBuffers& psf, const cl::Buffer& transfer,
                     int plane) override
    {
        run(launcher, pass::kPsfColumns, groups(), {spectra, spectra, transfer, psf.rows, plane, 0});
    }

private:
    struct Task {
        const cl::Buffer& source;
        const cl::Buffer& spectra;
        const cl::Buffer& transfer;
        const cl::Buffer& rows;
        int first_plane;
        int sign;           ///< of the transfer's imaginary parts; 0: columns of a PSF
        int image_row = 0;  ///< of `source`
    };
    void run(Launcher& launcher, const char* pass, std::size_t groups, const Task& task)
    {
        const auto run_with = [&](const auto& x, std::size_t at_once) {
            launcher.run(pass, convolve_, at_once, 1, named("source", task.source), named("intermediate", task.spectra),
                         named("transfer", task.transfer), named("forward_twiddle", forward_twiddles_),
                         named("back_twiddle", back_twiddles_), named("source_row", task.rows),
                         named("first_channel", static_cast<cl_uint>(task.first_plane)),
                         named("sign", static_cast<cl_int>(task.sign)),
                         named("image_row", static_cast<cl_uint>(task.image_row)),
                         named("tasks", static_cast<cl_uint>(groups)), named("x", x), named("line", stages_),
                         named("given", sizes_));
        };
        if (fft_.long_columns)
            run_with(long_columns_, std::min(groups, columns_at_once_));
        else
            run_with(lines_, groups);
    }
    [[nodiscard]] std::size_t groups() const
    {
        return static_cast<std::size_t>(ceil_div(fft_.spectrum.columns, fft_.lanes));
    }

    Plan plan_;
    const FftPlan& fft_;
    Sizes sizes_;
    LaneStages stages_{};
    cl::LocalSpaceArg lines_{};
    cl::Buffer long_columns_;
    std::size_t columns_at_once_ = 0;
    Kernel convolve_;
    cl::Buffer forward_twiddles_, back_twiddles_, rows_;
};

}  // namespace

std::unique_ptr<RowPass> make_lane_rows(const PassContext& context) { return std::make_unique<LaneRows>(context); }

std::unique_ptr<StepPass> make_lane_step(const PassContext& context, const Plan& back, const StepShape& shape)
{
    return std::make_unique<LaneStep>(context, back, shape);
}

std::unique_ptr<ColumnPass> make_lane_columns(const PassContext& context)
{
    return std::make_unique<LaneColumns>(context);
}

}  // namespace clconv
