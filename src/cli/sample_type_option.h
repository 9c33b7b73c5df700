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
    return choice(option, text, value_named<SampleType>(text), "u8, u16, half or float");
}

/// None: "same", the input's type. Throws InvalidProblem naming the types.
[[nodiscard]] inline std::optional<SampleType> depth_option(const std::string& text)
{
    if (text == "same") return std::nullopt;
    return choice("--depth", text, value_named<SampleType>(text), "same, u8, u16, half or float");
}

}  // namespace clconv
