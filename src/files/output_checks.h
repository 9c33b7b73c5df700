// What is refused before any work starts: outputs that would destroy something or cannot be made.
#pragma once

#include "files/item.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace clconv {

/// Throws InvalidProblem naming both inputs if two items have one output.
void check_distinct(const std::vector<Item>& items);

/// Throws InvalidProblem if an output is one of the inputs or of `others` (PSFs), also by another spelling or a link.
void check_not_inputs(const std::vector<Item>& items, const std::vector<std::filesystem::path>& others);

/// Throws InvalidProblem if the folder of an output is not `folder` or below it, once all links are followed: a glob
/// with ".." behind a wildcard and a link in the output folder lead elsewhere.
void check_below(const std::vector<Item>& items, const std::filesystem::path& folder);

/// Throws InvalidProblem if the folder of an output neither is there, writable, nor could be made.
void check_folders(const std::vector<Item>& items);

/// The same for one file's folder; `option` is what the user gave it with.
void check_folder_of(const std::filesystem::path& file, const std::string& option);

/// What to do with an output that exists.
enum class Existing { refuse, overwrite, skip };

/// Marks the items to skip. Throws OutputExists, with the count and the first few, if they are to be refused;
/// InvalidProblem if an output's name is that of a folder.
void settle_existing(std::vector<Item>& items, Existing policy);

/// Makes the folders of all outputs. Throws InvalidProblem naming the one that cannot be made.
void make_folders(const std::vector<Item>& items);

/// Removes the temporary files that processes of this host which were killed have left in the folders of the outputs.
/// Returns how many.
std::size_t remove_abandoned(const std::vector<Item>& items);

}  // namespace clconv
