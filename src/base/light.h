// SPDX-License-Identifier: Apache-2.0
// sRGB codes and the light they stand for (IEC 61966-2-1). Mirrored by kernels/samples.cl.
#pragma once

#include <cmath>

namespace clconv {

/// How a convolution interprets the samples of an image.
enum class Light {
    stored,     ///< numbers, convolved as they are
    srgb,       ///< sRGB codes: made linear when they are loaded; results are encoded again when they are stored
    linear,     ///< light, or codes that were decoded already; the writer encodes the result
    from_srgb,  ///< sRGB codes: made linear when they are loaded; results stay so
    to_srgb,    ///< light; results become sRGB codes when they are stored
};

[[nodiscard]] constexpr bool decodes_srgb(Light light) { return light == Light::srgb || light == Light::from_srgb; }
[[nodiscard]] constexpr bool encodes_srgb(Light light) { return light == Light::srgb || light == Light::to_srgb; }

/// The light of a code. Both are at most 1; the linear part of the curve continues to negative codes.
[[nodiscard]] inline double srgb_decoded(double code)
{
    return code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
}

/// The inverse.
[[nodiscard]] inline double srgb_encoded(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

}  // namespace clconv
