// A process of our own that may crash, hang or take too much memory, as code of others does to it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace clconv {

/// Fork of this process which runs one function. It must be started by a thread that stays as long as it is wanted: it
/// ends with that thread, whatever ends it. Stop signals and SIGPIPE are ignored in it: it is told by other ways.
class ChildProcess {
public:
    /// In the child, calls `work` with the writing end of a pipe and ends with what it returns, without
    /// destructors of any other objects. `work` must not throw. Throws InternalError if the system has no process.
    explicit ChildProcess(const std::function<int(int pipe)>& work);
    /// Kills the child if it still runs.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    [[nodiscard]] pid_t id() const { return id_; }

    /// Waits for bytes from the child, at most `milliseconds`; appends them to `bytes`. False: none will come any more.
    [[nodiscard]] bool read(std::string& bytes, int milliseconds) const;

    /// Ends it at once.
    void kill() const;

    /// Waits for its end. Returns what waitpid() says.
    int wait();

    /// Bytes of memory that only it has: anonymous, in memory now. 0 if it is gone.
    [[nodiscard]] std::uint64_t own_memory() const;

private:
    pid_t id_ = -1;
    int pipe_ = -1;
    std::optional<int> status_;
};

/// How a process ended, for messages: "was killed by SIGSEGV (a bad memory access)", "ended with exit code 1".
/// `status`: as ChildProcess::wait().
[[nodiscard]] std::string end_in_words(int status);

/// Writes all of `bytes` to an open file or pipe; false leaves errno: a full disk, or nobody reads any more.
bool write_all(int file, std::string_view bytes);

}  // namespace clconv
