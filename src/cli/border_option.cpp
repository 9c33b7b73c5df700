#include "cli/border_option.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace clconv {

namespace {

constexpr std::string_view kModes =
    "zero (black), constant:V, clamp (edge, nearest, replicate), wrap (periodic), mirror (symmetric), "
    "reflect (reflect101) or renormalize";

double parse_number(std::string_view option, std::string_view text)
{
    double number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || end != text.data() + text.size() || !std::isfinite(number))
        throw InvalidProblem(
            fmt::format("--border {}: \"{}\" is no number; give one value, or one a channel, such as "
                        "constant:0.5 or constant:1,0.5,0",
                        option, text));
    return number;
}

std::vector<double> parse_values(std::string_view option, std::string_view text)
{
    std::vector<double> values;
    while (true) {
        const std::size_t comma = text.find(',');
        values.push_back(parse_number(option, text.substr(0, comma)));
        if (comma == std::string_view::npos) return values;
        text.remove_prefix(comma + 1);
    }
}

}  // namespace

BorderOption parse_border(std::string_view text)
{
    const std::size_t colon = text.find(':');
    const std::optional<Border> mode = border_named(text.substr(0, colon));
    if (!mode) throw InvalidProblem(fmt::format("--border {}: no such mode; use {}", text, kModes));
    const bool has_value = colon != std::string_view::npos;
    if (has_value && *mode != Border::constant)
        throw InvalidProblem(fmt::format("--border {}: only constant takes a value; use {}", text, kModes));
    if (!has_value && *mode == Border::constant)
        throw InvalidProblem("--border constant: needs its value, such as constant:0.5 or constant:1,0.5,0");
    if (!has_value) return {*mode, {}};
    return {*mode, parse_values(text, text.substr(colon + 1))};
}

}  // namespace clconv
