// What `renormalize` divides by: the coverage (1 inside the image, 0 outside) convolved with the PSF.
//
// At output (x, y) that is the sum of the PSF's samples that meet the image: a rectangle of the PSF, because the
// coverage is one. Rectangle sums come from a table of sums in double; no transform, no rounding to speak of.
#pragma once

#include "conv/problem.h"
#include "psf/psf.h"

#include <vector>

namespace clconv {

/// Planar [psf channels][output height][output width]; 0 where the sum is below 1e-6 of the sum of magnitudes: nothing
/// can be said of such a pixel, and the result there is 0.
[[nodiscard]] std::vector<double> convolved_coverage(const Problem& problem, const Psf& psf);

/// The same for a part of the output: [psf channels][size.height][size.width], from `first` on.
[[nodiscard]] std::vector<double> convolved_coverage(const Problem& problem, const Psf& psf, Position first,
                                                     Extent size);

}  // namespace clconv
