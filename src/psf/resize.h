// SPDX-License-Identifier: Apache-2.0
// Resizes PSFs, so that one look fits images of any size.
#pragma once

#include "psf/psf.h"

namespace clconv {

/// `psf` for an image `factor` times as large. Every pixel is the integral, over its square, of the linear
/// interpolation between the weights. So smaller PSFs are averages, and larger ones are smooth. The sum of each channel
/// stays. The extent is odd, and the old origin becomes its centre. Throws InvalidProblem if a side would be longer
/// than kMaxPsfSize.
[[nodiscard]] Psf resized(const Psf& psf, double factor);

}  // namespace clconv
