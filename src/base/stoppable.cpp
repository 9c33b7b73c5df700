// SPDX-License-Identifier: Apache-2.0
#include "base/stoppable.h"

#include "base/errors.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace clconv {

namespace {

constexpr std::chrono::milliseconds kInterval{50};

}  // namespace

ssize_t read_unless_stopped(int file, char* bytes, std::size_t size, const std::atomic<int>& stop)
{
    while (stop == 0) {
        pollfd ready{file, POLLIN, 0};
        if (::poll(&ready, 1, static_cast<int>(kInterval.count())) <= 0) continue;
        const ssize_t count = ::read(file, bytes, size);
        if (count >= 0 || errno != EINTR) return count;
    }
    errno = EINTR;
    return -1;
}

FifoReader::FifoReader(const std::filesystem::path& file, const std::atomic<int>& stop)
{
    std::error_code failure;
    if (!std::filesystem::is_fifo(file, failure)) return;
    // Without a reader, this fails at once with ENXIO. Any other error is left to whoever writes the file.
    while ((file_ = ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 &&
           (errno == ENXIO || errno == EINTR)) {
        if (stop != 0) throw InputError(fmt::format("{}: nobody has opened this FIFO to read it", file.string()));
        std::this_thread::sleep_for(kInterval);
    }
}

FifoReader::~FifoReader()
{
    if (file_ >= 0) ::close(file_);
}

}  // namespace clconv
