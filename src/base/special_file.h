// SPDX-License-Identifier: Apache-2.0
// Paths that are not regular files. Opening a FIFO waits for a writer. Reading a device may never end, or may change
// something.
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

}  // namespace clconv
