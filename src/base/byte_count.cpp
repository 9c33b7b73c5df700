// SPDX-License-Identifier: Apache-2.0
#include "base/byte_count.h"

#include "base/errors.h"
#include "base/lower_case.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace clconv {
namespace {

/// The factor of a suffix in lower case; none if there is no such suffix.
std::optional<double> factor_of(std::string_view suffix)
{
    if (suffix.empty() || suffix == "b") return 1;
    constexpr std::string_view letters = "kmgt";
    const std::size_t power = letters.find(suffix.front());
    if (power == std::string_view::npos) return std::nullopt;
    const std::string_view rest = suffix.substr(1);
    if (!rest.empty() && rest != "b" && rest != "ib") return std::nullopt;
    return std::ldexp(1.0, 10 * (static_cast<int>(power) + 1));
}

}  // namespace

std::uint64_t parse_byte_count(const std::string& option, const std::string& text)
{
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    const auto factor = factor_of(lower_case({rest, static_cast<std::size_t>(end - rest)}));
    const double bytes = factor ? number * *factor : -1;
    if (error != std::errc() || !factor || !(bytes >= 1) || bytes > 1e18)
        throw InvalidProblem(
            fmt::format("{} {}: give an amount of memory, for instance 800000000, 512M or 1.5G", option, text));
    return static_cast<std::uint64_t>(bytes);
}

std::string in_words(std::uint64_t bytes)
{
    auto number = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; number >= 1024 && unit < 4; ++unit) number /= 1024;
    constexpr std::string_view units[] = {"", "K", "M", "G", "T"};
    return fmt::format("{:.3g}{}", number, units[unit]);
}

}  // namespace clconv
