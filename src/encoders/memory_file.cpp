// SPDX-License-Identifier: Apache-2.0
#include "encoders/memory_file.h"

#include "base/errors.h"

#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <vector>

namespace clconv::oiio {

MemoryFile::MemoryFile() : file_(::memfd_create("clconv", MFD_CLOEXEC))
{
    if (file_ < 0) throw InputError(std::string("no memory to encode an image in: ") + std::strerror(errno));
}

MemoryFile::~MemoryFile() { ::close(file_); }

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(file_); }

void MemoryFile::copy_to(OutputStream& stream) const
{
    std::vector<char> block(std::size_t{1} << 20U);
    off_t offset = 0;
    while (true) {
        const ssize_t count = ::pread(file_, block.data(), block.size(), offset);
        if (count <= 0) return;
        stream.write(block.data(), static_cast<std::size_t>(count));
        offset += count;
    }
}

}  // namespace clconv::oiio
