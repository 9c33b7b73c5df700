// SPDX-License-Identifier: Apache-2.0
// The divisor of borders that divide by coverage: the coverage (1 where there are samples, 0 elsewhere) convolved with
// the PSF.
//
// At output (x, y), it is the sum of the PSF's samples that meet samples. They form a rectangle of the PSF, because the
// positions with samples are a rectangle. A table of sums in double gives sums of rectangles, without a transform and
// almost without rounding.
#pragma once

#include "conv/problem.h"
#include "psf/psf.h"

#include <vector>

namespace clconv {

/// The divisor, planar [psf channels][output height][output width]; 0 where the sum is below 1e-6 of the sum of
/// magnitudes. Such a pixel is undefined, and its result is 0.
[[nodiscard]] std::vector<double> convolved_coverage(const Problem& problem, const Psf& psf);

/// The same for a part of the output: [psf channels][size.height][size.width], from `first` on.
[[nodiscard]] std::vector<double> convolved_coverage(const Problem& problem, const Psf& psf, Position first,
                                                     Extent size);

}  // namespace clconv
