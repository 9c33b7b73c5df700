// SPDX-License-Identifier: Apache-2.0
// Whether two paths are the same file, or the same name of a file.
#pragma once

#include <filesystem>

namespace clconv {

/// The path without symbolic links and dots, as far as it exists; equal for all spellings of one file.
[[nodiscard]] inline std::filesystem::path file_identity(const std::filesystem::path& path)
{
    std::error_code failure;
    const std::filesystem::path whole = std::filesystem::absolute(path, failure);  // names of no file stay relative
    std::filesystem::path canonical = std::filesystem::weakly_canonical(whole, failure);
    return failure ? whole : canonical;
}

/// The folder's identity and the name in it. Equal for all spellings of one name; a link differs from its target.
[[nodiscard]] inline std::filesystem::path name_identity(const std::filesystem::path& path)
{
    if (!path.has_filename()) return file_identity(path);
    return file_identity(path.has_parent_path() ? path.parent_path() : ".") / path.filename();
}

}  // namespace clconv
