// SPDX-License-Identifier: Apache-2.0
// The sums of a PSF's weights, channel by channel.
#pragma once

#include "psf/psf.h"

#include <vector>

namespace clconv {

struct ChannelSum {
    double sum = 0;
    double magnitude = 0;  ///< the sum of the weights' magnitudes
};
/// [channels]. Weights are added in their order, in double.
[[nodiscard]] std::vector<ChannelSum> channel_sums(const Psf& psf);

/// Below this share of the sum of magnitudes, a sum is rounding noise of weights that cancel, and counts as 0.
inline constexpr double kMinRelativeSum = 1e-6;

}  // namespace clconv
