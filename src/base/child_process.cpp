// SPDX-License-Identifier: Apache-2.0
#include "base/child_process.h"

#include "base/coverage.h"
#include "base/errors.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace clconv {

namespace {

/// A large pipe means few, large reads, and no wake-up for each event of a batch.
constexpr int kPipeBytes = 1 << 20;

[[noreturn]] void run_child(const std::function<int(int)>& work, pid_t parent, int pipe)
{
    // If the parent dies, nobody else ends this process: its work would continue unseen.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(EXIT_FAILURE);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
    const int code = work(pipe);
    std::fflush(nullptr);
#if defined(__SANITIZE_ADDRESS__)
    __lsan_do_leak_check();
#endif
    keep_counts();
    // Not exit(): some libraries start threads when they are loaded, and exit() waits for them. A fork does not have
    // them.
    ::_exit(code);
}

const char* meaning_of(int signal)
{
    switch (signal) {
        case SIGABRT: return "an assertion, or damaged memory";
        case SIGSEGV:
        case SIGBUS: return "a bad memory access";
        case SIGFPE: return "a division by zero";
        case SIGILL: return "a bad instruction";
        case SIGKILL: return "often because the machine ran out of memory";
        default: return "not sent by clconv";
    }
}

}  // namespace

ChildProcess::ChildProcess(const std::function<int(int pipe)>& work)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw InternalError(std::string("cannot make a pipe: ") + std::strerror(errno));
    static_cast<void>(::fcntl(ends[1], F_SETPIPE_SZ, kPipeBytes));
    std::fflush(nullptr);  // or the child would write buffered output again
    const pid_t parent = ::getpid();
    id_ = ::fork();
    if (id_ == 0) {
        ::close(ends[0]);
        run_child(work, parent, ends[1]);
    }
    const int reason = errno;
    ::close(ends[1]);
    pipe_ = ends[0];
    if (id_ > 0) return;
    ::close(pipe_);
    throw InternalError(std::string("cannot start a process: ") + std::strerror(reason));
}

ChildProcess::~ChildProcess()
{
    kill();
    wait();
    ::close(pipe_);
}

bool ChildProcess::read(std::string& bytes, int milliseconds) const
{
    pollfd ready{pipe_, POLLIN, 0};
    if (::poll(&ready, 1, milliseconds) <= 0) return true;
    static thread_local std::array<char, 1 << 16> block;
    const ssize_t count = ::read(pipe_, block.data(), block.size());
    if (count > 0) bytes.append(block.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
}

void ChildProcess::kill() const
{
    if (!status_) ::kill(id_, SIGKILL);
}

int ChildProcess::wait()
{
    if (status_) return *status_;
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
    status_ = status;
    return status;
}

std::uint64_t ChildProcess::own_memory() const
{
    std::ifstream file("/proc/" + std::to_string(id_) + "/statm");
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    std::uint64_t of_files = 0;
    file >> size >> resident >> of_files;
    return (resident - of_files) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::string end_in_words(int status)
{
    if (!WIFSIGNALED(status)) return "ended with exit code " + std::to_string(WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    const char* const name = ::sigabbrev_np(signal);
    return "was killed by SIG" + std::string(name != nullptr ? name : std::to_string(signal)) + " (" +
           meaning_of(signal) + ")";
}

bool write_all(int file, std::string_view bytes)
{
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t step = ::write(file, bytes.data() + done, bytes.size() - done);
        if (step > 0) done += static_cast<std::size_t>(step);
        if (step < 0 && errno != EINTR) return false;
    }
    return true;
}

}  // namespace clconv
