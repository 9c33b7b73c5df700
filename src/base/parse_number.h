// SPDX-License-Identifier: Apache-2.0
// Numbers as people type them.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace clconv {

/// The whole text as a number in C's notation; nothing if it has anything else, or is out of Number's range.
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace clconv
