// Half-precision numbers on the host: IEEE 754 binary16, as files and devices have them.
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
    // Moved to a float's place the exponent is 112 too small; a multiplication mends it, for subnormals as well.
    const float magnitude = std::bit_cast<float>(rest << 13) * 0x1p112f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

}  // namespace clconv
