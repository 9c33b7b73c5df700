// SPDX-License-Identifier: Apache-2.0
#include "encoders/output_stream.h"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>

namespace clconv::oiio {

OutputStream::OutputStream(const std::filesystem::path& path, std::uint64_t begin)
    : IOProxy(path.string(), Write),
      begin_(static_cast<int64_t>(begin)),
      file_(::open(path.c_str(), O_RDWR | O_CLOEXEC | (begin == 0 ? O_TRUNC : 0)))
{
    if (file_ < 0) first_error_ = errno;
}

OutputStream::~OutputStream() { OutputStream::close(); }

void OutputStream::close()
{
    flush_pieces();
    // Network file systems report a full disk only here.
    if (file_ >= 0 && ::close(file_) != 0 && first_error_ == 0) first_error_ = errno;
    file_ = -1;
    m_mode = Closed;
}

bool OutputStream::seek(int64_t offset)
{
    m_pos = offset;
    return offset >= 0;
}

size_t OutputStream::write(const void* bytes, size_t count)
{
    constexpr size_t max_pieces = 65536;
    const bool goes_on = m_pos == pieces_begin_ + static_cast<int64_t>(pieces_.size());
    if (!goes_on || pieces_.size() + count > max_pieces) flush_pieces();
    if (count >= max_pieces) {
        put(static_cast<const char*>(bytes), count, m_pos);
    } else {
        if (pieces_.empty()) pieces_begin_ = m_pos;
        pieces_.append(static_cast<const char*>(bytes), count);
    }
    m_pos += static_cast<int64_t>(count);
    size_ = std::max(size_, static_cast<size_t>(m_pos));
    return count;
}

size_t OutputStream::pwrite(const void* bytes, size_t count, int64_t offset)
{
    flush_pieces();
    put(static_cast<const char*>(bytes), count, offset);
    size_ = std::max(size_, static_cast<size_t>(offset) + count);
    return count;
}

void OutputStream::flush_pieces()
{
    put(pieces_.data(), pieces_.size(), pieces_begin_);
    pieces_.clear();
}

void OutputStream::put(const char* bytes, size_t count, int64_t offset)
{
    size_t done = 0;
    while (done < count && first_error_ == 0) {
        const ssize_t step = ::pwrite(file_, bytes + done, count - done, begin_ + offset + static_cast<int64_t>(done));
        if (step > 0) done += static_cast<size_t>(step);
        if (step == 0) first_error_ = EIO;
        if (step < 0 && errno != EINTR) first_error_ = errno;
    }
}

}  // namespace clconv::oiio
