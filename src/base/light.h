// sRGB codes and the light they stand for (IEC 61966-2-1). Mirrored by kernels/samples.cl.
#pragma once

#include <cmath>

namespace clconv {

/// What the samples of an image are to a convolution.
enum class Light {
    stored,  ///< numbers, convolved as they are
    srgb,    ///< sRGB codes: made linear when they are loaded; results are encoded again when they are stored
    linear,  ///< codes that were made linear already; who writes the result encodes it
};

/// The light of a code; both 1 at most, negative codes as their line goes on.
[[nodiscard]] inline double srgb_decoded(double code)
{
    return code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
}

/// The way back.
[[nodiscard]] inline double srgb_encoded(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

}  // namespace clconv
