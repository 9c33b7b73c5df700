// The convolution problem that an image and a PSF make: for printing plans without convolving.
#pragma once

#include "engine/convolver.h"
#include "image/image.h"

namespace clconv {

/// Throws InvalidProblem if the PSF has neither one channel nor as many as the image has colours.
[[nodiscard]] Problem problem_of(const Image& image, const Psf& psf, const ConvolveSettings& settings,
                                 SampleType output);

}  // namespace clconv
