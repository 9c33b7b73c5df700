// SPDX-License-Identifier: Apache-2.0
// The problem of a file's parts, for commands that say what would run.
#pragma once

#include "conv/problem.h"

#include <string>
#include <vector>

namespace clconv {

/// Parts of one file that have the same problem.
struct PartsProblem {
    std::vector<int> parts;  ///< ascending
    Problem problem;
};

/// "part 3", "parts 0 to 4, 7".
[[nodiscard]] std::string parts_in_words(const std::vector<int>& parts);

}  // namespace clconv
