// SPDX-License-Identifier: Apache-2.0
#include "formats/file_splice.h"

#include "base/errors.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace clconv::oiio {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20U;

class OpenedFile {
public:
    explicit OpenedFile(const std::filesystem::path& path) : file_(::open(path.c_str(), O_RDWR | O_CLOEXEC))
    {
        if (file_ < 0) fail();
    }
    ~OpenedFile()
    {
        if (file_ >= 0) ::close(file_);
    }
    OpenedFile(const OpenedFile&) = delete;
    OpenedFile& operator=(const OpenedFile&) = delete;

    [[nodiscard]] std::size_t size() const
    {
        struct stat status = {};
        if (::fstat(file_, &status) != 0) fail();
        return static_cast<std::size_t>(status.st_size);
    }

    void read(std::size_t offset, std::string& bytes) const
    {
        for (std::size_t done = 0; done < bytes.size();)
            done +=
                checked(::pread(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done)));
    }

    void write(std::size_t offset, const std::string& bytes) const
    {
        for (std::size_t done = 0; done < bytes.size();)
            done +=
                checked(::pwrite(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done)));
    }

    void end_at(std::size_t size) const
    {
        if (::ftruncate(file_, static_cast<off_t>(size)) != 0) fail();
    }

    /// Network file systems report a full disk only here.
    void close()
    {
        const int file = file_;
        file_ = -1;
        if (::close(file) != 0) fail();
    }

private:
    [[noreturn]] static void fail() { throw InputError(std::strerror(errno)); }

    static std::size_t checked(ssize_t step)
    {
        if (step > 0) return static_cast<std::size_t>(step);
        if (step == 0) errno = EIO;
        if (errno != EINTR) fail();
        return 0;
    }

    int file_;
};

void move_block(const OpenedFile& file, std::size_t from, std::size_t to, std::size_t count)
{
    std::string block(count, '\0');
    file.read(from, block);
    file.write(to, block);
}

}  // namespace

void replace_bytes(const std::filesystem::path& file, std::size_t offset, std::size_t count, const std::string& bytes)
{
    OpenedFile opened(file);
    const std::size_t size = opened.size();
    const std::size_t from = offset + count;
    const std::size_t to = offset + bytes.size();
    if (to > from) {  // from the end, so that nothing is overwritten before it is moved
        for (std::size_t left = size - from; left > 0;) {
            const std::size_t block = std::min(left, kBlock);
            left -= block;
            move_block(opened, from + left, to + left, block);
        }
    } else if (to < from) {
        for (std::size_t done = 0; done < size - from; done += kBlock)
            move_block(opened, from + done, to + done, std::min(kBlock, size - from - done));
        opened.end_at(size - (from - to));
    }
    opened.write(offset, bytes);
    opened.close();
}

}  // namespace clconv::oiio
