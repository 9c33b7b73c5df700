// SPDX-License-Identifier: Apache-2.0
// A private folder for the files of one process, which goes when the process ends, however it ends.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

namespace clconv {

/// A new folder in $TMPDIR, or /tmp, that only its user can enter. It is removed with this object. A watching process
/// removes it if this process ends without doing so, by a signal or a crash, once all processes that it has forked
/// meanwhile have ended, too. Nobody removes it if the watching process is killed as well, as when the machine stops.
class TemporaryFolder {
public:
    /// Its name begins with `name`. Throws InputError that names it, the system's reason, and TMPDIR.
    explicit TemporaryFolder(std::string_view name);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    pid_t watcher_ = -1;
    int alive_ = -1;  ///< the end of a pipe that this process and its forks hold
};

}  // namespace clconv
