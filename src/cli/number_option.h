// Numbers as options have them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace clconv {

/// A whole text as a finite number, or nothing.
[[nodiscard]] std::optional<double> number_of(std::string_view text);

/// Numbers separated by commas, one or more; nothing if one of them is none.
[[nodiscard]] std::optional<std::vector<double>> numbers_of(std::string_view text);

}  // namespace clconv
