// Files that are no files: opening a FIFO waits for somebody, reading a device may never end or change something.
#pragma once

#include <filesystem>
#include <string>

namespace clconv {

/// "a FIFO", "a socket", "a device" for what `path` is, or a link to it leads to; empty for regular files, folders and
/// what does not exist.
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
