// SPDX-License-Identifier: Apache-2.0
// Checks before any work starts: outputs that would destroy something or cannot be made are refused.
#pragma once

#include "base/existing.h"
#include "files/item.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

namespace clconv {

/// Throws InvalidProblem with both inputs if two items have the same output, even by links or mounts of one folder.
void check_distinct(const std::vector<Item>& items);

/// The same for outputs whose names differ in case alone (ASCII), where ignores_case() holds for their folder. Only
/// folders of such names are asked.
void check_distinct_in_any_case(const std::vector<Item>& items,
                                const std::function<bool(const std::filesystem::path&)>& ignores_case);

/// Whether names in a folder mean the same file in upper and lower case, as on disks for Windows. Writes a temporary
/// file; false where that is not possible.
[[nodiscard]] bool ignores_case(const std::filesystem::path& folder);

/// Throws InvalidProblem if an output is one of the inputs or of `others` (PSFs), even by another spelling, a link, a
/// mount of its folder, or its name in another case.
void check_not_inputs(const std::vector<Item>& items, const std::vector<std::filesystem::path>& others);

/// Throws InvalidProblem if the folder of an output, with all links followed, is not `folder` or below it. A glob with
/// ".." behind a wildcard, or a link in the output folder, could lead elsewhere.
void check_below(const std::vector<Item>& items, const std::filesystem::path& folder);

/// Throws InvalidProblem if the folder of an output is not writable and cannot be made.
void check_folders(const std::vector<Item>& items);

/// The same for the folder of one file; `option` is the option that names the file.
void check_folder_of(const std::filesystem::path& file, const std::string& option);

inline constexpr const char* kKeepOrReplace = "use --overwrite to replace or --skip-existing to keep them";

/// Marks the items to skip, and notes the policy in all of them, for files that appear later. Throws OutputExists with
/// the count, the first few and `remedy` if the policy refuses them, and InvalidProblem if an output's name is that of
/// a folder.
void settle_existing(std::vector<Item>& items, Existing policy, const char* remedy = kKeepOrReplace);

/// Makes the folders of all outputs. Throws InvalidProblem with a folder that cannot be made.
void make_folders(const std::vector<Item>& items);

/// Removes temporary files in the folders of the outputs that killed processes of this host have left. Returns their
/// number.
std::size_t remove_abandoned(const std::vector<Item>& items);

}  // namespace clconv
