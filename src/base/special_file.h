// SPDX-License-Identifier: Apache-2.0
// What a path leads to. Some paths are not regular files. Opening a FIFO waits for a writer. Reading a device may never
// end, or may change something.
#pragma once

#include <filesystem>
#include <string>

namespace clconv {

/// "a FIFO", "a socket" or "a device" if `path`, or the target of its link, is one; empty for regular files, folders
/// and missing paths.
[[nodiscard]] inline std::string special_file(const std::filesystem::path& path)
{
    using enum std::filesystem::file_type;
    std::error_code failure;
    switch (std::filesystem::status(path, failure).type()) {
        case fifo: return "a FIFO";
        case socket: return "a socket";
        case block:
        case character: return "a device";
        default: return {};
    }
}

/// A folder, or a link to one. Like the next one, false for a path that cannot be looked at: opening it then says why.
[[nodiscard]] inline bool is_folder(const std::filesystem::path& path)
{
    std::error_code failure;
    return std::filesystem::is_directory(path, failure);
}

/// A regular file, or a link to one.
[[nodiscard]] inline bool is_regular(const std::filesystem::path& path)
{
    std::error_code failure;
    return std::filesystem::is_regular_file(path, failure);
}

}  // namespace clconv
