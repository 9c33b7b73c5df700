// SPDX-License-Identifier: Apache-2.0
// The problems of a file's parts, for commands that say what would run.
#pragma once

#include "batch/isolated_reading.h"
#include "cli/parts_problem.h"

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

namespace clconv {

/// The problems of `parts`, each once, in the order of the parts. Parts without a convolved channel, which are copied,
/// have none. Throws InputError if no part has a channel that is convolved.
[[nodiscard]] std::vector<PartsProblem> problems_of(const std::filesystem::path& path,
                                                    std::span<const PartHeader> parts,
                                                    const std::function<Problem(const Image&)>& problem_of_part);

}  // namespace clconv
