// Whether two paths mean one file.
#pragma once

#include <filesystem>

namespace clconv {

/// The path without symbolic links and dots, as far as it exists; equal for all spellings of one file.
[[nodiscard]] inline std::filesystem::path file_identity(const std::filesystem::path& path)
{
    std::error_code failure;
    std::filesystem::path canonical = std::filesystem::weakly_canonical(path, failure);
    return failure ? std::filesystem::absolute(path, failure) : canonical;
}

}  // namespace clconv
