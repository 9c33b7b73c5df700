// PSFs made larger or smaller, so that one look fits images of any size.
#pragma once

#include "psf/psf.h"

namespace clconv {

/// `psf` as it looks on an image `factor` times as large: every pixel gets the integral over its square of the linear
/// interpolation between the weights, so that small ones are averages and large ones smooth. The sum of each channel
/// stays. The extent is odd, and the origin its centre, where the old origin lies. Throws InvalidProblem if a side
/// would be longer than kMostPsfSize.
[[nodiscard]] Psf resized(const Psf& psf, double factor);

}  // namespace clconv
