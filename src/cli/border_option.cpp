#include "cli/border_option.h"

#include "base/errors.h"
#include "cli/number_option.h"

#include <fmt/format.h>

#include <utility>

namespace clconv {

BorderOption parse_border(std::string_view text)
{
    const std::size_t colon = text.find(':');
    const std::optional<Border> mode = border_named(text.substr(0, colon));
    if (!mode) throw InvalidProblem(fmt::format("--border {}: no such mode; use {}", text, borders_text()));
    const bool has_value = colon != std::string_view::npos;
    const bool needs_value = mode_of(*mode).needs_value;
    if (has_value && !needs_value)
        throw InvalidProblem(fmt::format("--border {}: only constant takes a value; use {}", text, borders_text()));
    if (!has_value && needs_value)
        throw InvalidProblem("--border constant: needs its value, such as constant:0.5 or constant:1,0.5,0");
    if (!has_value) return {*mode, {}};
    std::optional<std::vector<double>> values = numbers_of(text.substr(colon + 1));
    if (!values)
        throw InvalidProblem(fmt::format(
            "--border {}: give one number, or one a channel, such as constant:0.5 or constant:1,0.5,0", text));
    return {*mode, *std::move(values)};
}

}  // namespace clconv
