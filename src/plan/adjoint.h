// SPDX-License-Identifier: Apache-2.0
// The adjoint of a convolution as a plan: <A x, y> = <x, A' y> for all images x and all results y.
//
// A extends an image by its border, convolves in a circle, and cuts the results out. So the adjoint A' pads with zeros
// what was cut, correlates in the same circle, and adds every sample that lies outside to the one that the border took
// it from: it folds. renormalize divides its results by a coverage, so its adjoint divides first. constant adds a
// constant, and the adjoint is the one of its linear part, border zero.
#pragma once

#include "plan/plan.h"

#include <vector>

namespace clconv {

struct AdjointPlan {
    /// From the results' extent to the extended image. fft: the lines and the transfer are those of the convolution,
    /// and columns are multiplied by the transfer's conjugate. Others: a convolution with the PSF rotated by 180
    /// degrees.
    Plan plan;
    Extent image;  ///< of the convolution
    /// The image's column, and row, at each position of the extended image; -1: none.
    std::vector<int> columns, rows;

    /// Whether the extended image is more than the image.
    [[nodiscard]] bool folds() const { return plan.output != image; }
};

/// `plan`: of a convolution from floats to floats, of stored values, without a blend, in float or double. Throws
/// InvalidProblem otherwise, and as make_plan().
[[nodiscard]] AdjointPlan adjoint_of(const Plan& plan, const DeviceTraits& traits);

}  // namespace clconv
