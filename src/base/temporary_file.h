// A file that appears under its name only when it is complete, and what is left of those that never were.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace clconv {

/// An empty file beside `target`, hidden, which becomes `target` at commit() or goes away with this object.
///
/// Its name keeps the extension (image libraries choose the format by it) and holds the host, the process and a
/// counter, so that writers of one name never meet: ".photo.clconv-node7-1234-0.tmp.png". It is locked (flock) as long
/// as this object lives: a lock dies with its process, whatever ended it, so that what can be locked is abandoned.
class TemporaryFile {
public:
    /// Throws InputError naming `target` and the system's reason.
    explicit TemporaryFile(std::filesystem::path target);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Renames the file to `target`, replacing what was there. Throws InputError.
    void commit();

private:
    std::filesystem::path target_;
    std::filesystem::path path_;
    int locked_ = -1;
    bool committed_ = false;
};

/// Removes the temporary files in `folder` that dead processes of this host have left. Those of other hosts stay: a
/// network file system does not always tell their locks. Returns how many it removed; never throws.
std::size_t remove_abandoned_temporaries(const std::filesystem::path& folder) noexcept;

/// Removes those that a process of this host has left which is known to be dead, whether files can be locked or not.
/// Never throws.
void remove_temporaries_of(int process, const std::filesystem::path& folder) noexcept;

}  // namespace clconv
