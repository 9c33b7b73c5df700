// SPDX-License-Identifier: Apache-2.0
#include "passes/coverage.h"

#include "conv/axis.h"
#include "psf/sums.h"

#include <algorithm>
#include <cmath>

namespace clconv {
namespace {

/// Positions, or samples, from `first` to before `last`.
struct Range {
    int first;
    int last;
};

/// The positions that hold samples, as far as a PSF reaches: the image, and what its border continues of it.
Range covered(const AxisProblem& axis)
{
    Range range{0, axis.count};
    while (range.first > -axis.psf && source_index(axis.border, range.first - 1, axis.count)) --range.first;
    while (range.last < axis.count + axis.psf && source_index(axis.border, range.last, axis.count)) ++range.last;
    return range;
}

/// The PSF samples along one axis that meet samples, from each of some output positions.
std::vector<Range> ranges(const AxisProblem& axis, int first_position, int count)
{
    std::vector<Range> result;
    const Range image = covered(axis);
    const int start = first_output(axis) + first_position;
    for (int n = start; n < start + count; ++n) {
        // Sample j meets position n - (j - origin).
        const int first = std::clamp(n + axis.origin - (image.last - 1), 0, axis.psf);
        result.push_back({first, std::clamp(n + axis.origin - image.first + 1, first, axis.psf)});
    }
    return result;
}

/// sums[j][i]: of the samples above and left of (i, j); one row and column of zeros first.
std::vector<double> table_of_sums(const Psf& psf, int channel)
{
    const int pitch = psf.extent.width + 1;
    std::vector<double> sums(static_cast<std::size_t>(pitch) * (psf.extent.height + 1));
    for (int j = 0; j < psf.extent.height; ++j) {
        double row = 0;
        for (int i = 0; i < psf.extent.width; ++i) {
            row += psf.at(i, j, channel);
            const std::size_t cell = static_cast<std::size_t>(j + 1) * pitch + i + 1;
            sums[cell] = sums[cell - pitch] + row;
        }
    }
    return sums;
}

}  // namespace

std::vector<double> convolved_coverage(const Problem& problem, const Psf& psf)
{
    return convolved_coverage(problem, psf, {0, 0}, output_extent(problem));
}

std::vector<double> convolved_coverage(const Problem& p, const Psf& psf, Position first, Extent output)
{
    const auto columns = ranges(along_x(p), first.x, output.width);
    const auto rows = ranges(along_y(p), first.y, output.height);
    const int pitch = p.psf.width + 1;
    std::vector<double> coverage;
    coverage.reserve(output.pixels() * psf.channels);
    const std::vector<ChannelSum> whole = channel_sums(psf);
    for (int c = 0; c < psf.channels; ++c) {
        const std::vector<double> sums = table_of_sums(psf, c);
        const double minimum = kMinRelativeSum * whole[static_cast<std::size_t>(c)].magnitude;
        const auto at = [&](int j, int i) { return sums[static_cast<std::size_t>(j) * pitch + i]; };
        for (const Range y : rows)
            for (const Range x : columns) {
                const double sum =
                    at(y.last, x.last) - at(y.first, x.last) - at(y.last, x.first) + at(y.first, x.first);
                coverage.push_back(std::abs(sum) > minimum ? sum : 0.0);
            }
    }
    return coverage;
}

}  // namespace clconv
