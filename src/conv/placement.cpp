// SPDX-License-Identifier: Apache-2.0
#include "conv/placement.h"

namespace clconv {
namespace {

/// Along one axis: the stored column (or row) to which each PSF sample is added, and where those columns lie in a line.
struct Folding {
    std::vector<int> stored;  ///< [psf_count]
    std::vector<int> table;   ///< [length]
    int count = 0;
};

Folding fold(const Axis& axis)
{
    Folding folding{{}, std::vector<int>(axis.length, -1), 0};
    for (int j = axis.psf_first; j < axis.psf_first + axis.psf_count; ++j) {
        int& stored = folding.table[psf_position(axis, j)];
        if (stored < 0) stored = folding.count++;
        folding.stored.push_back(stored);
    }
    return folding;
}

}  // namespace

PlacedPsf place_psf(std::span<const double> weights, Extent psf, int channels, const Axis& x, const Axis& y)
{
    const Folding columns = fold(x);
    const Folding rows = fold(y);
    PlacedPsf placed{columns.count, rows.count, channels, {}, columns.table, rows.table};
    for (int c = 0; c < channels; ++c) {
        std::vector<double> plane(static_cast<std::size_t>(placed.width) * placed.height);
        for (int j = 0; j < y.psf_count; ++j) {
            const double* from =
                weights.data() + (static_cast<std::size_t>(c) * psf.height + y.psf_first + j) * psf.width;
            double* to = plane.data() + static_cast<std::size_t>(rows.stored[j]) * placed.width;
            for (int i = 0; i < x.psf_count; ++i) to[columns.stored[i]] += from[x.psf_first + i];
        }
        placed.weights.insert(placed.weights.end(), plane.begin(), plane.end());
    }
    return placed;
}

}  // namespace clconv
