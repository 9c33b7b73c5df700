// SPDX-License-Identifier: Apache-2.0
// Half-precision numbers on the host: IEEE 754 binary16, as in files and on devices.
#pragma once

#include <bit>
#include <cstdint>

namespace clconv {

/// The value of a half's bits; subnormals, infinities and NaNs included.
[[nodiscard]] constexpr float float_from_half(std::uint16_t bits)
{
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    const std::uint32_t rest = bits & 0x7fffu;
    if (rest >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
    // In a float's position, the exponent is 112 too small. A multiplication corrects it, for subnormals too.
    const float magnitude = std::bit_cast<float>(rest << 13) * 0x1p112f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

/// The bits of the half that is nearest to `value`, of two the even one; infinite beyond the largest half.
[[nodiscard]] constexpr std::uint16_t half_from_float(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    std::uint32_t half = 0;
    if (magnitude > 0x7f800000u)
        half = 0x7e00u;  // NaN
    else if (magnitude >= 0x477ff000u)
        half = 0x7c00u;  // from 65520 on
    else if (magnitude < 0x38800000u)
        // Subnormal: the last bit of a float at 1/2 is that of a half there.
        half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
    else
        half = (magnitude + 0xfffu + (magnitude >> 13 & 1u) - 0x38000000u) >> 13;
    return static_cast<std::uint16_t>(sign | half);
}

}  // namespace clconv
