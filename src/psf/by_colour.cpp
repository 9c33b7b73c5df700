#include "psf/by_colour.h"

#include "psf/normalize.h"

namespace clconv {

Psf by_colour(const Psf& psf, std::span<const Colour> colours)
{
    const auto plane = static_cast<std::ptrdiff_t>(psf.extent.pixels());
    const Psf mean = gray(psf);
    Psf result = psf;
    result.channels = static_cast<int>(colours.size());
    result.is_matched = true;
    result.weights.clear();
    for (const Colour colour : colours) {
        const auto number = static_cast<std::ptrdiff_t>(colour) - static_cast<std::ptrdiff_t>(Colour::red);
        const auto first = colour == Colour::none ? mean.weights.begin() : psf.weights.begin() + number * plane;
        result.weights.insert(result.weights.end(), first, first + plane);
    }
    return result;
}

}  // namespace clconv
