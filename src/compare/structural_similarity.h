// SPDX-License-Identifier: Apache-2.0
// The structural similarity of two planes: Wang, Bovik, Sheikh and Simoncelli, 2004.
#pragma once

#include "compare/differences.h"

#include <optional>

namespace clconv {

/// The side of the window, a Gaussian with a standard deviation of 1.5 pixels.
inline constexpr int kSimilarityWindow = 11;

/// Equation 13, with the window of the authors: the mean over all windows that lie inside the plane, with K1 = 0.01 and
/// K2 = 0.03. The weights of a window add up to 1, and variances and covariances are their weighted means, without
/// Bessel's correction. `range`: of the samples. Windows with a sample that is not finite, and windows around samples
/// that do not count, are left out. Nothing if no window is left.
[[nodiscard]] std::optional<double> structural_similarity(const PlanePair& pair, double range);

}  // namespace clconv
