// SPDX-License-Identifier: Apache-2.0
// A PSF's weights for the row and column passes: a small image, and the places of its columns and rows.
#pragma once

#include "conv/axis.h"

#include <span>
#include <vector>

namespace clconv {

struct PlacedPsf {
    int width = 0;
    int height = 0;
    int channels = 1;
    std::vector<double> weights;  ///< planar: [channel][height][width]
    std::vector<int> columns;     ///< [x.length]: the column at each position of a padded row, -1 if there is none
    std::vector<int> rows;        ///< [y.length]: the row at each position of a padded column, -1 if there is none
};

/// `weights`: planar [channels][psf height][psf width], in double. Samples that cannot reach the output are left out.
/// Samples at the same position of a circular axis are summed.
[[nodiscard]] PlacedPsf place_psf(std::span<const double> weights, Extent psf, int channels, const Axis& x,
                                  const Axis& y);

}  // namespace clconv
