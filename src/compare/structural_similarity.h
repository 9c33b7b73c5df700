// The structural similarity of two planes: Wang, Bovik, Sheikh and Simoncelli, 2004.
#pragma once

#include "compare/differences.h"

#include <optional>

namespace clconv {

/// The side of the window, in which all samples weigh the same.
inline constexpr int kSimilarityWindow = 7;

/// The mean over all windows that lie inside the plane, with K1 = 0.01 and K2 = 0.03, and with sample variances and
/// covariances (divided by 48, not 49). `range`: of the samples. Windows with a sample that is not finite, and windows
/// around samples that do not count, are left out. Nothing if no window is left.
[[nodiscard]] std::optional<double> structural_similarity(const PlanePair& pair, double range);

}  // namespace clconv
