// SPDX-License-Identifier: Apache-2.0
// PSFs for images that are shrunk to a half or a quarter, convolved, and spread over their pixels again.
#pragma once

#include "psf/psf.h"

namespace clconv {

struct ShrunkPsf {
    Psf psf;
    /// The share of the light that shrinking, `psf` and spreading together bring to other pixels than the original PSF:
    /// half the sum of differences over the sum of magnitudes, averaged over all positions of a light. The largest of
    /// the channels.
    double misplaced = 0;
};

/// `psf` for kernels/coarse.cl with that factor, 2 or 4: resized() by it, and sharpened to undo the blur of the tents.
/// Three filters are tried (none, and those that are right to the second and to the fourth power of the frequency), and
/// the best is used. Sums stay. If no weight of `psf` is negative, no weight of the result is. Throws as resized().
[[nodiscard]] ShrunkPsf shrunk(const Psf& psf, int factor);

}  // namespace clconv
