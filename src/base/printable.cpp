// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <fmt/format.h>

#include <iterator>

namespace clconv {

namespace {

bool is_control(unsigned char byte) { return (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F; }

/// Whether a control character of two bytes begins at `at`: C2 80 to C2 9F.
bool is_wide_control(std::string_view text, std::size_t at)
{
    if (at + 1 >= text.size() || static_cast<unsigned char>(text[at]) != 0xC2) return false;
    const auto second = static_cast<unsigned char>(text[at + 1]);
    return second >= 0x80 && second < 0xA0;
}

}  // namespace

std::string printable(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (is_wide_control(text, i))
            fmt::format_to(std::back_inserter(result), "\\x{:02X}\\x{:02X}", byte,
                           static_cast<unsigned char>(text[++i]));
        else if (is_control(byte))
            fmt::format_to(std::back_inserter(result), "\\x{:02X}", byte);
        else
            result += text[i];
    }
    return result;
}

}  // namespace clconv
