// SPDX-License-Identifier: Apache-2.0
#include "psf/orient.h"

#include "base/orientation.h"

#include <utility>

namespace clconv {

Psf oriented(const Psf& psf, int orientation)
{
    Psf result = psf;
    if (is_rotated_sideways(orientation)) std::swap(result.extent.width, result.extent.height);
    result.origin = stored_place(psf.origin, psf.extent, orientation);
    const auto width = static_cast<std::size_t>(result.extent.width);
    const std::size_t plane = psf.extent.pixels();
    for (int c = 0; c < psf.channels; ++c)
        for (int y = 0; y < psf.extent.height; ++y)
            for (int x = 0; x < psf.extent.width; ++x) {
                const Position place = stored_place({x, y}, psf.extent, orientation);
                result.weights[static_cast<std::size_t>(c) * plane + static_cast<std::size_t>(place.y) * width +
                               static_cast<std::size_t>(place.x)] = psf.at(x, y, c);
            }
    return result;
}

bool same_samples(const Psf& a, const Psf& b)
{
    return a.extent == b.extent && a.channels == b.channels && a.origin.x == b.origin.x && a.origin.y == b.origin.y &&
           a.weights == b.weights;
}

}  // namespace clconv
