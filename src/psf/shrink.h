// PSFs for images that are shrunk to a half or a quarter before they are convolved, and spread over their pixels again
// after it.
#pragma once

#include "psf/psf.h"

namespace clconv {

struct ShrunkPsf {
    Psf psf;
    /// Of the light, what shrinking, `psf` and spreading together bring to other pixels than the PSF does: half the sum
    /// of differences over the sum of magnitudes, the largest of the channels, on the average of all places that a
    /// light may have.
    double misplaced = 0;
};

/// `psf` for kernels/coarse.cl with that factor, 2 or 4: resized() to it, and made as much sharper as the tents blur.
/// Three ways of that are tried (not, right to the second, and to the fourth power of the frequency), and the best is
/// taken. Sums stay; where no weight of `psf` is negative, none is here. Throws as resized().
[[nodiscard]] ShrunkPsf shrunk(const Psf& psf, int factor);

}  // namespace clconv
