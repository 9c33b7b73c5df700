// SPDX-License-Identifier: Apache-2.0
// Numbers in options.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace clconv {

/// The whole text as a finite number, or nothing.
[[nodiscard]] std::optional<double> number_of(std::string_view text);

/// A check that accepts numbers from `minimum` to `maximum`. (CLI::Range also accepts NaN.)
[[nodiscard]] CLI::Validator in_range(double minimum, double maximum);

/// One or more numbers separated by commas; nothing if one of them is not a number.
[[nodiscard]] std::optional<std::vector<double>> numbers_of(std::string_view text);

}  // namespace clconv
