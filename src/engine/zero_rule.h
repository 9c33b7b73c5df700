// A convolution as far as its zeros are concerned: what zero_stretches() looks for and ZeroResults writes.
#pragma once

#include "conv/problem.h"
#include "engine/blending.h"
#include "engine/coarse.h"
#include "psf/support.h"

#include <memory>
#include <vector>

namespace clconv {

struct ZeroRule {
    Problem problem;                            ///< of the whole image, interleaved
    std::shared_ptr<const PsfSupport> support;  ///< of the PSF as it is fitted to the image
    Blending blending = {};
    int alpha_channel = -1;
    std::vector<float> outside = {};  ///< [channels], Border::constant: what stands there
    bool has_zeros = true;            ///< of the image: false if no sample is zero
};

/// The same where the image is convolved at a lower resolution: results see somewhat more than the PSF's extent.
[[nodiscard]] ZeroRule coarse_rule(ZeroRule rule, const Coarse& coarse);

/// Whether results are of a type for which zeros are looked for: integers round to zero by themselves.
[[nodiscard]] inline bool wants_exact_zeros(SampleType output) { return !is_integer(output); }

/// What a pixel's brightest channel, as it is stored, may be where nothing of the pixel is taken; 0 or less: such a
/// pixel must be black. A little less than the kernels take, which compute in float.
[[nodiscard]] double most_dark(const ZeroRule& rule);

}  // namespace clconv
