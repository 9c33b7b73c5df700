// SPDX-License-Identifier: Apache-2.0
// The part of a light wave that passes an aperture, as samples.
#pragma once

#include "psf/kinds.h"

#include <vector>

namespace clconv {

struct Aperture {
    int samples = 0;                ///< a side
    double diameter = 0;            ///< of the f-number's circle, in samples
    double light = 0;               ///< the integral of the amplitude squared, in samples
    std::vector<double> amplitude;  ///< 0 to 1, means over the samples, row by row
};

/// Blades, rotation, round and obstruction on a grid of `samples` a side.
[[nodiscard]] Aperture bladed_aperture(const KindArguments& arguments, int samples);

/// An image, the mean of its channels, whose larger side is the diameter. If a value exceeds 1, all are scaled down.
/// Throws InvalidProblem for values that are negative or not finite, and if nothing passes.
[[nodiscard]] Aperture drawn_aperture(const Psf& image, int samples);

}  // namespace clconv
