// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_folder.h"

#include "base/coverage.h"
#include "base/errors.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace clconv {

namespace fs = std::filesystem;

namespace {

fs::path new_private_folder(std::string_view name)
{
    // As mktemp does: an empty variable counts as not set.
    const char* const temporary = std::getenv("TMPDIR");
    std::string path = fs::path(temporary && *temporary != 0 ? temporary : "/tmp") / fmt::format("{}-XXXXXX", name);
    if (!::mkdtemp(path.data()))
        throw InputError(fmt::format("{}: no folder can be made for files of a moment: {}; set TMPDIR to another", path,
                                     std::strerror(errno)));
    return path;
}

void discard(const fs::path& folder)
{
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

/// Waits until no process has the other end of the pipe any more, and removes the folder.
[[noreturn]] void watch(int pipe, const fs::path& folder)
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);  // a terminal sends them to all
    char none = 0;
    while (::read(pipe, &none, 1) < 0 && errno == EINTR) continue;
    discard(folder);
    keep_counts();
    ::_exit(EXIT_SUCCESS);
}

}  // namespace

TemporaryFolder::TemporaryFolder(std::string_view name) : path_(new_private_folder(name))
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;  // without a watcher: it is for ends that are rare
    watcher_ = ::fork();
    if (watcher_ == 0) {
        ::close(ends[1]);
        watch(ends[0], path_);
    }
    ::close(ends[0]);
    alive_ = ends[1];
}

TemporaryFolder::~TemporaryFolder()
{
    if (watcher_ > 0) {
        ::kill(watcher_, SIGKILL);
        while (::waitpid(watcher_, nullptr, 0) < 0 && errno == EINTR) continue;
    }
    if (alive_ >= 0) ::close(alive_);
    discard(path_);
}

}  // namespace clconv
