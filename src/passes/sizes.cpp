// SPDX-License-Identifier: Apache-2.0
#include "passes/sizes.h"

#include "conv/axis.h"
#include "plan/half_range.h"

#include <fmt/format.h>

namespace clconv {
namespace {

/// How the methods of one launch move along an axis: windows over the extended image.
struct Walk {
    const Window& x;
    const Window& y;
    int positions_x = 0;  ///< of the tables of source columns
    int positions_y = 0;
};

void add_walk(Sizes& sizes, const Walk& walk)
{
    sizes.loaded_x = walk.positions_x;
    sizes.loaded_y = walk.positions_y;
    sizes.first_x = walk.x.first_source;
    sizes.first_y = walk.y.first_source;
    sizes.psf_width = walk.x.taps;
    sizes.psf_height = walk.y.taps;
}

void add_method(Sizes& sizes, const FftPlan& fft, const Problem& problem)
{
    sizes.length_x = fft.x.length;
    sizes.length_y = fft.y.length;
    sizes.loaded_x = fft.x.loaded;
    sizes.loaded_y = fft.y.loaded;
    sizes.first_x = fft.x.first_source;
    sizes.first_y = fft.y.first_source;
    sizes.valid_y = fft.y.part;
    sizes.planes = fft.planes;
    sizes.psf_planes = fft.planes_of(problem.psf_channels);
    sizes.columns = fft.spectrum.columns;
    sizes.packs = fft.spectrum.packs;
    sizes.bundles = fft.spectrum.bundles;
    sizes.column_scale = static_cast<float>(column_scale(fft, problem.precision));
}

void add_method(Sizes& sizes, const TilePlan& tiles, const Problem& /*problem*/)
{
    add_walk(sizes, {tiles.x, tiles.y, tiles.positions_x(), tiles.positions_y()});
    sizes.across = tiles.across;
    sizes.pieces = tiles.across * tiles.down;
    sizes.valid_x = tiles.valid.width;
    sizes.valid_y = tiles.valid.height;
}

void add_method(Sizes& sizes, const DirectPlan& direct, const Problem& /*problem*/)
{
    add_walk(sizes, {direct.x, direct.y, direct.positions_x(), direct.positions_y()});
    sizes.across = direct.across;
}

}  // namespace

double column_scale(const FftPlan& fft, Precision precision)
{
    return precision == Precision::half ? half_column_scale(fft.y.length) : 1;
}

Sizes sizes_of(const Plan& plan)
{
    const Problem& problem = plan.problem;
    Sizes sizes{};
    sizes.width = problem.image.width;
    sizes.height = problem.image.height;
    sizes.out_width = plan.output.width;
    sizes.out_height = plan.output.height;
    sizes.psf_channels = problem.psf_channels;
    sizes.at_x = first_output(along_x(problem));
    sizes.at_y = first_output(along_y(problem));
    std::visit([&](const auto& how) { add_method(sizes, how, problem); }, plan.how);
    return sizes;
}

std::string constant_sizes_define(const Sizes& s)
{
    // In the order of kernels/sizes.cl; tests/device/sizes_test.cpp reads them back.
    const int before[] = {s.width,      s.height,   s.out_width,  s.out_height, s.length_x,     s.length_y,
                          s.loaded_x,   s.loaded_y, s.first_x,    s.first_y,    s.psf_channels, s.psf_width,
                          s.psf_height, s.planes,   s.psf_planes, s.columns,    s.packs,        s.bundles};
    const int after[] = {s.across, s.pieces, s.valid_x, s.valid_y, s.at_x, s.at_y};
    return fmt::format("#define CONSTANT_SIZES {{{}, {:.9e}f, {}}}\n", fmt::join(before, ", "), s.column_scale,
                       fmt::join(after, ", "));
}

}  // namespace clconv
