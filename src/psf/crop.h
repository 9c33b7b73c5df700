// Trimming a PSF to the extent that holds its light.
#pragma once

#include "psf/psf.h"

namespace clconv {

/// The sum of the magnitudes of all weights.
[[nodiscard]] double sum_of_magnitudes(const Psf& psf);

/// `psf` without rows and columns at its edges, as small as it gets while the magnitudes still sum to at least `kept`.
/// Rows go in pairs at equal distances above and below the origin, columns left and right of it, always the pair that
/// holds less; where a PSF is the same across and down, both go together, so that a square stays one. The origin stays
/// on its sample. Unchanged if it holds less than `kept`.
[[nodiscard]] Psf cropped(const Psf& psf, double kept);

}  // namespace clconv
