// sRGB codes and the light they stand for (IEC 61966-2-1). Mirrored by kernels/samples.cl.
#pragma once

#include <cmath>

namespace clconv {

/// What the samples of an image are to a convolution.
enum class Light {
    stored,     ///< numbers, convolved as they are
    srgb,       ///< sRGB codes: made linear when they are loaded; results are encoded again when they are stored
    linear,     ///< light, or codes that were made light already; who writes the result encodes it
    from_srgb,  ///< sRGB codes: made linear when they are loaded; results stay so
    to_srgb,    ///< light; results become sRGB codes when they are stored
};

[[nodiscard]] constexpr bool decodes_srgb(Light light) { return light == Light::srgb || light == Light::from_srgb; }
[[nodiscard]] constexpr bool encodes_srgb(Light light) { return light == Light::srgb || light == Light::to_srgb; }

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
