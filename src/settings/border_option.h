// SPDX-License-Identifier: Apache-2.0
// Reading `--border`.
#pragma once

#include "conv/border.h"

#include <string_view>
#include <vector>

namespace clconv {

struct BorderOption {
    Border mode = Border::clamp;
    std::vector<double> value;  ///< if the mode needs_value: one number, or one a channel
};

/// Reads a mode, an alias, or "constant:V[,V...]". Throws InvalidProblem listing the modes, or saying what is wrong
/// with the value.
[[nodiscard]] BorderOption parse_border(std::string_view text);

}  // namespace clconv
