// SPDX-License-Identifier: Apache-2.0
// A picture of a PSF.
#pragma once

#include "psf/psf.h"

namespace clconv {

/// The brightest weight in a preview is ten to this power times the darkest.
inline constexpr int kPreviewDecades = 6;

/// Values 0 to 1: the logarithm of each weight over the largest of all channels, kPreviewDecades wide; 0 below and for
/// negative weights. Small PSFs are enlarged to about 256 pixels by repeating samples. Large ones are reduced to 1024
/// by the largest weight of each block.
[[nodiscard]] Psf log_preview(const Psf& psf);

}  // namespace clconv
