// SPDX-License-Identifier: Apache-2.0
// The properties of a convolution that zero_stretches() needs to find its exact zeros, and ZeroResults to write them.
#pragma once

#include "conv/problem.h"
#include "passes/blending.h"
#include "psf/support.h"

#include <memory>
#include <vector>

namespace clconv {

struct ZeroRule {
    Problem problem;                            ///< of the whole image, interleaved
    std::shared_ptr<const PsfSupport> support;  ///< of the PSF as it is fitted to the image
    Blending blending = {};
    int alpha_channel = -1;
    std::vector<double> outside = {};  ///< [channels], the border's own value; empty if it has none
    bool has_zeros = true;             ///< of the image: false if no sample is zero
};

/// Whether results are of a type for which zeros are looked for: integers round to zero by themselves.
[[nodiscard]] inline bool wants_exact_zeros(SampleType output) { return !is_integer(output); }

/// If the stored value of a pixel's brightest channel is at most this, nothing of the pixel is convolved. 0 or less:
/// only black pixels are left out. A little below the limit of the kernels, which compute in float.
[[nodiscard]] double max_dark(const ZeroRule& rule);

}  // namespace clconv
