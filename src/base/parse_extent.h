// SPDX-License-Identifier: Apache-2.0
// Sizes as people type them.
#pragma once

#include "base/extent.h"

#include <optional>
#include <string>
#include <string_view>

namespace clconv {

enum class Square { no, yes };

/// Reads "640x480" or, where a square is allowed, also "15" for 15x15. Throws InvalidProblem with the option, the value
/// found and the value wanted.
[[nodiscard]] Extent parse_extent(const std::string& option, const std::string& text, Square square);

/// Reads "640x480" or "640X480" with sides from 1 to `maximum`; nothing for any other text.
[[nodiscard]] std::optional<Extent> extent_up_to(int maximum, std::string_view text);

}  // namespace clconv
