// A PSF as a picture for eyes.
#pragma once

#include "psf/psf.h"

namespace clconv {

/// Tens to the power of this lie between the darkest and the brightest that a preview shows.
inline constexpr int kPreviewDecades = 6;

/// Values 0 to 1: the logarithm of each weight over the largest of all channels, kPreviewDecades wide; 0 below and for
/// negative weights. Small PSFs are enlarged to some 256 pixels by repeating samples, large ones reduced to 1024 by the
/// largest of each block.
[[nodiscard]] Psf log_preview(const Psf& psf);

}  // namespace clconv
