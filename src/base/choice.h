// SPDX-License-Identifier: Apache-2.0
// Finds one of an option's values by its name.
#pragma once

#include "base/errors.h"
#include "base/names.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

namespace clconv {

/// The value that was found for an option's `text`. Throws InvalidProblem with the option, the text and the valid
/// names.
template <class Value>
[[nodiscard]] Value choice(std::string_view option, std::string_view text, std::optional<Value> found,
                           std::string_view names)
{
    if (!found) throw InvalidProblem(fmt::format("{} {}: no such choice; use {}", option, text, names));
    return *found;
}

/// The value with the name `text`. `others`: names that the caller handles itself, such as "auto, ", for the message.
/// Throws likewise.
template <HasNames Value>
[[nodiscard]] Value choice(std::string_view option, std::string_view text, std::string_view others = "")
{
    return choice(option, text, value_named<Value>(text), fmt::format("{}{}", others, names_text<Value>()));
}

}  // namespace clconv
