// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name only when it is complete, the removal of files that were never completed, and
// the folders of files.
#pragma once

#include "base/existing.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>

namespace clconv {

/// Makes the folder of a file, and those above it. Writing the file says why, if that failed and nobody asked here.
inline std::error_code make_folder_of(const std::filesystem::path& file)
{
    std::error_code failure;
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), failure);
    return failure;
}

/// An empty, hidden file beside `target`. It becomes `target` at commit(), or is removed with this object.
///
/// Its name keeps the extension (image libraries choose the format by it) and holds the host, the process and a
/// counter, so that writers of the same name never collide: ".photo.clconv-node7-1234-0.tmp.png". It is locked (flock)
/// while this object lives. A lock ends with its process, however that ends, so a file that can be locked is abandoned.
class TemporaryFile {
public:
    /// Throws InputError naming `target` and the system's reason.
    explicit TemporaryFile(std::filesystem::path target);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Renames the file to `target`. A file that is there is replaced if `existing` says so. Otherwise it stays, and
    /// OutputExists is thrown; no other process can come between, except on file systems that have neither links nor
    /// renames without replacing. Throws InputError.
    void commit(Existing existing = Existing::overwrite);

private:
    std::filesystem::path target_;
    std::filesystem::path path_;
    int locked_ = -1;
    bool committed_ = false;
};

/// Removes the temporary files in `folder` that dead processes of this host have left. Those of other hosts stay,
/// because a network file system does not always report their locks. Returns how many it removed; never throws.
std::size_t remove_abandoned_temporaries(const std::filesystem::path& folder) noexcept;

/// Removes the temporary files of a process of this host that is known to be dead, even where files cannot be locked.
/// Never throws.
void remove_temporaries_of(int process, const std::filesystem::path& folder) noexcept;

}  // namespace clconv
