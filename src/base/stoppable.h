// SPDX-License-Identifier: Apache-2.0
// Waiting for the other side of a pipe until a signal asks the process to stop. A plain system call would go on
// waiting: the return of a signal handler does not end it, and a signal that comes just before the call is missed.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <filesystem>

namespace clconv {

/// Like read(). If `stop` is not 0 before there are bytes, returns -1 with errno EINTR.
[[nodiscard]] ssize_t read_unless_stopped(int file, char* bytes, std::size_t size, const std::atomic<int>& stop);

/// Somebody who reads a FIFO.
class FifoReader {
public:
    /// If `file` is a FIFO, waits until somebody has opened it to read; files of other kinds are left alone. Throws
    /// InputError if `stop` is not 0 and nobody has.
    FifoReader(const std::filesystem::path& file, const std::atomic<int>& stop);
    ~FifoReader();
    FifoReader(const FifoReader&) = delete;
    FifoReader& operator=(const FifoReader&) = delete;

private:
    int file_ = -1;  ///< while it is open, the reader does not come to the end
};

}  // namespace clconv
