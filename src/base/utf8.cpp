// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <array>

namespace clconv {

/// RFC 3629, section 3: the first byte tells the length, and the shortest is needed.
Utf8Character character_at(std::string_view text, std::size_t at)
{
    constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    const auto byte_at = [&](std::size_t place) { return std::uint32_t{static_cast<unsigned char>(text[place])}; };
    const std::uint32_t first = byte_at(at);
    if (first < 0x80) return {first, 1};
    const std::size_t bytes = first >> 5U == 6 ? 2 : first >> 4U == 14 ? 3 : first >> 3U == 30 ? 4 : 0;
    if (bytes == 0 || text.size() - at < bytes) return {};
    std::uint32_t code = first & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        const std::uint32_t next = byte_at(at + i);
        if (next >> 6U != 2) return {};
        code = code << 6U | (next & 0x3FU);
    }
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < smallest.at(bytes) || code > 0x10FFFF || is_surrogate) return {};
    return {code, bytes};
}

}  // namespace clconv
