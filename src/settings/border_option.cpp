// SPDX-License-Identifier: Apache-2.0
#include "settings/border_option.h"

#include "base/errors.h"
#include "settings/number_option.h"

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
        throw InvalidProblem(
            fmt::format("--border {}: {} takes no value; use {}", text, name_of(*mode), borders_text()));
    if (!has_value && needs_value)
        throw InvalidProblem(fmt::format("--border {0}: needs its value, such as {0}:0.5 or {0}:1,0.5,0", text));
    if (!has_value) return {*mode, {}};
    std::optional<std::vector<double>> values = numbers_of(text.substr(colon + 1));
    if (!values)
        throw InvalidProblem(fmt::format(
            "--border {0}: give one number, or one a channel, such as {1}:0.5 or {1}:1,0.5,0", text, name_of(*mode)));
    return {*mode, *std::move(values)};
}

}  // namespace clconv
