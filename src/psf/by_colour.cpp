// SPDX-License-Identifier: Apache-2.0
#include "psf/by_colour.h"

#include "psf/normalize.h"

namespace clconv {

Psf by_colour(const Psf& psf, std::span<const LayerChannel> channels)
{
    const auto plane = static_cast<std::ptrdiff_t>(psf.extent.pixels());
    const Psf mean = gray(psf);
    Psf result = psf;
    result.channels = static_cast<int>(channels.size());
    result.is_matched = true;
    result.weights.clear();
    for (const LayerChannel& channel : channels) {
        const auto number = static_cast<std::ptrdiff_t>(channel.colour) - static_cast<std::ptrdiff_t>(Colour::red);
        const auto first = channel.triple < 0 ? mean.weights.begin() : psf.weights.begin() + number * plane;
        result.weights.insert(result.weights.end(), first, first + plane);
    }
    return result;
}

}  // namespace clconv
