// SPDX-License-Identifier: Apache-2.0
// A child process for code of others, which may crash, hang or take too much memory.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace clconv {

/// A fork of this process that runs one function. It ends with the thread that started it, so that thread must live as
/// long as the child is needed. The child ignores stop signals and SIGPIPE; the parent tells it to stop in other ways.
class ChildProcess {
public:
    /// In the child, calls `work` with the writing end of a pipe, and ends with its return value without running other
    /// destructors. `work` must not throw. Throws InternalError if no process can be started.
    explicit ChildProcess(const std::function<int(int pipe)>& work);
    /// Kills the child if it still runs.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    [[nodiscard]] pid_t id() const { return id_; }

    /// Waits at most `milliseconds` for bytes from the child and appends them to `bytes`. False if no more will come.
    [[nodiscard]] bool read(std::string& bytes, int milliseconds) const;

    /// Ends it at once.
    void kill() const;

    /// Waits for its end. Returns the status of waitpid().
    int wait();

    /// Bytes of its own resident memory: anonymous pages. 0 if it has ended.
    [[nodiscard]] std::uint64_t own_memory() const;

private:
    pid_t id_ = -1;
    int pipe_ = -1;
    std::optional<int> status_;
};

/// How a process ended, for messages: "was killed by SIGSEGV (a bad memory access)", "ended with exit code 1".
/// `status`: from ChildProcess::wait().
[[nodiscard]] std::string end_in_words(int status);

/// Writes all of `bytes` to an open file or pipe; false and errno on failure: a full disk, or a reader that is gone.
bool write_all(int file, std::string_view bytes);

}  // namespace clconv
