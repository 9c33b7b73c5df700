// SPDX-License-Identifier: Apache-2.0
// Contents of folders in a fixed order, and the files that a glob pattern matches.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// Names directly in a folder, sorted by bytes, without hidden ones.
struct FolderContents {
    std::vector<std::string> files;    ///< and links to files
    std::vector<std::string> folders;  ///< real ones, not links: following them never leads in circles
    std::vector<std::string> linked_folders;
    std::string error;  ///< why the folder could not be listed (to its end); empty if it could
};
[[nodiscard]] FolderContents contents_of(const std::filesystem::path& folder);

/// A folder that could not be listed (to its end), and why.
struct UnlistedFolder {
    std::filesystem::path path;
    std::string error;
};

struct PatternMatches {
    std::filesystem::path base;                ///< the pattern's leading components without wildcards
    std::vector<std::filesystem::path> paths;  ///< files and folders
    std::vector<std::filesystem::path> skipped;
    std::vector<UnlistedFolder> unlisted;
};
/// The existing paths that match the pattern. Its syntax is in files/glob.h. Wildcards do not match the folder `skip`,
/// a file_identity(); empty: there is none.
[[nodiscard]] PatternMatches expand(std::string_view pattern, const std::filesystem::path& skip = {});

}  // namespace clconv
