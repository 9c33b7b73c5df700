// SPDX-License-Identifier: Apache-2.0
#include "formats/latin1.h"

#include "base/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace clconv::oiio {

bool is_ascii(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_utf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character next = character_at(text, at);
        if (next.bytes == 0) return false;
        at += next.bytes;
    }
    return true;
}

std::string utf8_of_latin1(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        const std::uint32_t code = static_cast<unsigned char>(c);
        if (code < 0x80) {
            result += c;
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
        const Utf8Character next = character_at(text, at);
        if (next.bytes == 0 || next.code > 0xFF) return std::nullopt;
        result += static_cast<char>(next.code);
        at += next.bytes;
    }
    return result;
}

}  // namespace clconv::oiio
