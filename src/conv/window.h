// One axis of a convolution as a window that slides over the extended image: what the methods without a padded line
// (direct, tiled) load, and which of the PSF's samples matter.
//
//     out[n] = sum over t of  weight[t] * position[n + t],   0 <= n < output, 0 <= t < taps
//
// where weight is the kept part of the PSF turned round, and position n is coordinate first_source + n of the image as
// the border extends it.
#pragma once

#include "conv/axis.h"

#include <vector>

namespace clconv {

struct Window {
    int first_source = 0;  ///< the image coordinate at position 0
    int psf_first = 0;     ///< the first PSF sample that can bring data to the output, ...
    int taps = 1;          ///< ... and how many there are: with an empty border no more than the image can meet
    int output = 0;
    friend bool operator==(const Window&, const Window&) = default;
};

[[nodiscard]] Window window_of(const AxisProblem& problem);

/// The image sample at each of `positions` positions; -1 where there is none, and behind all that the outputs see.
[[nodiscard]] std::vector<int> window_sources(const AxisProblem& problem, int positions);

}  // namespace clconv
