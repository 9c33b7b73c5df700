// SPDX-License-Identifier: Apache-2.0
#include "formats/latin1.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace clconv::oiio {
namespace {

std::uint32_t byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  ///< 0: it is not well-formed
};

/// The character of UTF-8 at `at`. RFC 3629, section 3: the first byte tells the length, and the shortest is needed.
Character character_at(std::string_view text, std::size_t at)
{
    constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    const std::uint32_t first = byte_at(text, at);
    if (first < 0x80) return {first, 1};
    const std::size_t bytes = first >> 5U == 6 ? 2 : first >> 4U == 14 ? 3 : first >> 3U == 30 ? 4 : 0;
    if (bytes == 0 || text.size() - at < bytes) return {};
    std::uint32_t code = first & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        const std::uint32_t next = byte_at(text, at + i);
        if (next >> 6U != 2) return {};
        code = code << 6U | (next & 0x3FU);
    }
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < smallest.at(bytes) || code > 0x10FFFF || is_surrogate) return {};
    return {code, bytes};
}

}  // namespace

bool is_ascii(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_utf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const Character next = character_at(text, at);
        if (next.bytes == 0) return false;
        at += next.bytes;
    }
    return true;
}

std::string utf8_of_latin1(std::string_view text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::uint32_t code = byte_at(text, at);
        if (code < 0x80) {
            result += text[at];
        } else {
            result += static_cast<char>(0xC0U | code >> 6U);
            result += static_cast<char>(0x80U | (code & 0x3FU));
        }
    }
    return result;
}

std::optional<std::string> latin1_of_utf8(std::string_view text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const Character next = character_at(text, at);
        if (next.bytes == 0 || next.code > 0xFF) return std::nullopt;
        result += static_cast<char>(next.code);
        at += next.bytes;
    }
    return result;
}

}  // namespace clconv::oiio
