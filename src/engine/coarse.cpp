// SPDX-License-Identifier: Apache-2.0
#include "engine/coarse.h"

#include "base/errors.h"
#include "fft/lane_line.h"
#include "opencl/buffers.h"
#include "opencl/program.h"
#include "passes/bias.h"
#include "passes/defines.h"
#include "passes/light_tables.h"
#include "passes/pass_names.h"
#include "passes/program_names.h"
#include "passes/scalars.h"
#include "passes/sizes.h"
#include "psf/shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clconv {
namespace {

/// Rows of small samples that one work-item of a CPU makes. Each strip loads extra rows: those of one more small row.
constexpr int kStrip = 16;

/// How an axis is shrunk.
struct CoarseAxis {
    int count = 0;  ///< small samples
    int first = 0;  ///< the image's coordinate at position 0
    std::vector<int> sources;
};

/// The axis of small results -1 .. (count - 1) / factor + 1, extended to a multiple of four samples, for vectors.
CoarseAxis coarse_axis(int count, Border border, int psf, int origin, int factor)
{
    const int results = (count - 1) / factor + 3;
    CoarseAxis axis;
    axis.count = ceil_div(results + psf - 1, 4) * 4;
    axis.first = factor * (-1 - (psf - 1 - origin)) - factor / 2;
    constexpr int read_behind = 16;
    for (int n = 0; n < factor * (axis.count + 1); ++n)
        axis.sources.push_back(source_index(border, axis.first + n, count).value_or(-1));
    axis.sources.insert(axis.sources.end(), read_behind, -1);
    return axis;
}

Sizes sizes_of(const Coarse& coarse)
{
    Sizes sizes{};
    sizes.width = sizes.out_width = coarse.whole.image.width;
    sizes.height = sizes.out_height = coarse.whole.image.height;
    sizes.loaded_x = coarse.factor * (coarse.small.image.width + 1);
    sizes.loaded_y = coarse.factor * (coarse.small.image.height + 1);
    sizes.first_x = coarse.first.x;
    sizes.first_y = coarse.first.y;
    sizes.psf_channels = coarse.whole.psf_channels;
    return sizes;
}

}  // namespace

std::uint64_t samples_bytes(const Problem& whole, SampleType type)
{
    return whole.image.pixels() * static_cast<std::uint64_t>(whole.channels) * bytes_of(type);
}

void check_fits(const Problem& whole, const DeviceTraits& traits)
{
    if (std::max(samples_bytes(whole, whole.input), samples_bytes(whole, whole.output)) > traits.max_allocation)
        throw TooLarge(fmt::format("an image of {} does not fit the device whole", to_string(whole.image)));
}

Coarse coarse(const Problem& whole, const Psf& psf, int factor)
{
    check(whole);
    ShrunkPsf small = shrunk(psf, factor);
    Coarse result;
    result.factor = factor;
    result.whole = whole;
    result.misplaced = small.misplaced;
    const Extent extent = small.psf.extent;
    const Position origin = small.psf.origin;
    CoarseAxis x = coarse_axis(whole.image.width, whole.border, extent.width, origin.x, factor);
    CoarseAxis y = coarse_axis(whole.image.height, whole.border, extent.height, origin.y, factor);
    result.small = {.image = {x.count, y.count},
                    .channels = whole.channels,
                    .psf = extent,
                    .origin = origin,
                    .psf_channels = small.psf.channels,
                    .border = Border::zero,
                    .mode = Mode::valid,
                    .layout = Layout::planar,
                    .precision = whole.precision};
    result.small.extra_bytes = samples_bytes(whole, whole.input) + samples_bytes(whole, whole.output);
    check(result.small);
    result.psf = std::make_shared<const Psf>(std::move(small.psf));
    result.columns = std::move(x.sources);
    result.rows = std::move(y.sources);
    result.first = {x.first, y.first};
    return result;
}

int coarse_lanes(const Decisions& forced, const DeviceTraits& traits)
{
    return forced.lanes.value_or(traits.is_cpu ? kLanes : 1) > 1 ? kLanes : 1;
}

Recipe coarse_recipe(const Coarse& coarse)
{
    Defines defines;
    defines.add_lines(precision_define(coarse.whole.precision));
    if (coarse.lanes > 1)
        defines.add("LANES", coarse.lanes).add("STRIP", kStrip).add_lines(light_table_defines(coarse.whole));
    defines.add_lines(input_defines(coarse.whole)).add_lines(output_defines(coarse.whole)).add("FACTOR", coarse.factor);
    return {fmt::format("coarse-{}{}{}", coarse.factor, coarse.lanes > 1 ? "-lanes" : "",
                        sample_words(coarse.whole, SampleUse::both)),
            "coarse.cl", defines.text(), ""};
}

LevelScalars coarse_levels(const Coarse& coarse, const ImageLevels& image, const Psf& psf, const Blending& blending)
{
    const std::vector<double>& bias = image.bias;
    const std::vector<double> sums = sums_of(psf);
    SimpleLevels levels;
    for (std::size_t c = 0; c < bias.size(); ++c) {
        levels.subtracted.push_back(bias[c]);
        levels.restored.push_back(restored_bias(bias[c], sums[c % sums.size()], coarse.whole.border));
    }
    levels.minimum = min_results(coarse.whole, image, levels.restored);
    levels.scales.assign(bias.size(), 1.0);
    return with_blend(std::move(levels), coarse.whole, image, blending);
}

ZeroRule coarse_rule(ZeroRule rule, const Coarse& coarse)
{
    // Result x lies between small results of which the first sees positions from factor (x / factor) on, and the last
    // sees (small PSF + 3) factor positions from there (coarse.cl).
    const auto widen = [&](int small_psf, int first, int& extent, int& origin) {
        const int last = first + coarse.factor * (small_psf + 3) - 1;
        extent = last - (first - coarse.factor + 1) + 1;
        origin = last;
    };
    widen(coarse.small.psf.width, coarse.first.x, rule.problem.psf.width, rule.problem.origin.x);
    widen(coarse.small.psf.height, coarse.first.y, rule.problem.psf.height, rule.problem.origin.y);
    rule.problem.psf_channels = 1;
    rule.support = std::make_shared<const PsfSupport>(full_support(rule.problem.psf));
    return rule;
}

CoarsePasses::CoarsePasses(Device& device, const KernelSource& kernels, const Coarse& coarse) : coarse_(coarse)
{
    const BuiltProgram program = build(device, kernels, coarse_recipe(coarse));
    shrink_ = Kernel(program, "shrink");
    spread_ = Kernel(program, "spread");
    columns_ = upload(device, coarse.columns);
    rows_ = upload(device, coarse.rows);
}

void CoarsePasses::shrink(Launcher& launcher, const ImageBuffers& image, const cl::Buffer& small)
{
    const auto channels = static_cast<std::size_t>(coarse_.whole.channels);
    const cl_int width = coarse_.small.image.width, height = coarse_.small.image.height;
    const Sizes sizes = sizes_of(coarse_);
    const auto launch = [&](auto run) {
        run(named("samples", image.input), named("small", small), named("source_column", columns_),
            named("source_row", rows_), named("bias", image.bias), named("width", width), named("height", height),
            named("given", sizes));
    };
    launch([&](const auto&... arguments) {
        if (coarse_.lanes > 1)
            launcher.run(pass::kShrink, shrink_, channels * static_cast<std::size_t>(ceil_div(height, kStrip)), 1,
                         arguments...);
        else
            launcher.run_plane(pass::kShrink, shrink_, static_cast<std::size_t>(width),
                               channels * static_cast<std::size_t>(height), arguments...);
    });
}

void CoarsePasses::spread(Launcher& launcher, const cl::Buffer& small, const ImageBuffers& image)
{
    const auto channels = static_cast<std::size_t>(coarse_.whole.channels);
    const Extent results = output_extent(coarse_.small);
    const cl_int width = results.width, height = results.height;
    const Sizes sizes = sizes_of(coarse_);
    const auto launch = [&](auto run) {
        run(named("samples", image.input), named("small", small), named("result", image.output),
            named("restore", image.restore), named("weight", image.weight), named("mask", image.mask),
            named("width", width), named("height", height), named("given", sizes));
    };
    launch([&](const auto&... arguments) {
        const Extent image_size = coarse_.whole.image;
        if (coarse_.lanes > 1)
            launcher.run(pass::kSpread, spread_, channels * static_cast<std::size_t>(image_size.height), 1,
                         arguments...);
        else
            launcher.run_plane(pass::kSpread, spread_, static_cast<std::size_t>(image_size.width),
                               channels * static_cast<std::size_t>(image_size.height), arguments...);
    });
}

}  // namespace clconv
