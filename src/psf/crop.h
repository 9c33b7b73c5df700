// SPDX-License-Identifier: Apache-2.0
// Trims a PSF to the extent that holds its light.
#pragma once

#include "psf/psf.h"

namespace clconv {

/// The sum of the magnitudes of all weights.
[[nodiscard]] double sum_of_magnitudes(const Psf& psf);

/// `psf` without rows and columns at its edges: the smallest one whose magnitudes sum to at least `kept`. Rows are
/// removed in pairs at equal distances above and below the origin, and columns left and right of it. The pair that
/// holds less goes first. If both are equal, they go together, so that a square stays a square. The origin stays on its
/// sample. `psf` is unchanged if it holds less than `kept`.
[[nodiscard]] Psf cropped(const Psf& psf, double kept);

}  // namespace clconv
