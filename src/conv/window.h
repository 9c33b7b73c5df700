// SPDX-License-Identifier: Apache-2.0
// One axis of a convolution as a window that slides over the extended image: the samples that methods without a padded
// line (direct, tiled) load, and the PSF's samples that matter.
//
//     out[n] = sum over t of  weight[t] * position[n + t],   0 <= n < output, 0 <= t < taps
//
// where weight is the kept part of the PSF, reversed, and position n is coordinate first_source + n of the image as
// extended by the border.
#pragma once

#include "conv/axis.h"

#include <vector>

namespace clconv {

struct Window {
    int first_source = 0;  ///< the image coordinate at position 0
    int psf_first = 0;     ///< the first PSF sample that can bring data to the output, ...
    int taps = 1;          ///< ... and their number: with an empty border, at most as many as can meet the image
    int output = 0;
    friend bool operator==(const Window&, const Window&) = default;
};

[[nodiscard]] Window window_of(const AxisProblem& problem);

/// The image sample at each of `positions` positions; -1 if there is none, and beyond all that the outputs need.
[[nodiscard]] std::vector<int> window_sources(const AxisProblem& problem, int positions);

}  // namespace clconv
