// SPDX-License-Identifier: Apache-2.0
// Reading `--type` and `--depth`.
#pragma once

#include "base/sample_type.h"
#include "cli/command_line.h"

#include <optional>
#include <string>

namespace clconv {

/// Throws InvalidProblem naming the types.
[[nodiscard]] inline SampleType sample_type_option(const std::string& option, const std::string& text)
{
    return choice<SampleType>(option, text);
}

/// None: "same", the input's type. Throws InvalidProblem naming the types.
[[nodiscard]] inline std::optional<SampleType> depth_option(const std::string& text)
{
    if (text == "same") return std::nullopt;
    return choice<SampleType>("--depth", text, "same, ");
}

}  // namespace clconv
