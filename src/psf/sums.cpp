// SPDX-License-Identifier: Apache-2.0
#include "psf/sums.h"

#include <cmath>
#include <cstddef>

namespace clconv {

std::vector<ChannelSum> channel_sums(const Psf& psf)
{
    std::vector<ChannelSum> sums(static_cast<std::size_t>(psf.channels));
    auto weight = psf.weights.begin();
    for (ChannelSum& channel : sums)
        for (const auto end = weight + static_cast<std::ptrdiff_t>(psf.extent.pixels()); weight != end; ++weight) {
            channel.sum += *weight;
            channel.magnitude += std::abs(*weight);
        }
    return sums;
}

}  // namespace clconv
