// SPDX-License-Identifier: Apache-2.0
// The stream for all writers, of this folder and of the library. Private to src/encoders.
#pragma once

#include <OpenImageIO/filesystem.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace clconv::oiio {

/// A buffered file that remembers the first error of the system, and ignores everything after it, as if all went well.
///
/// The library's own streams lose the error if only the last buffer fails, and several of its writers (TIFF and EXR in
/// OpenImageIO 2.4) crash while they clean up after a failure. So they never see one; call first_error() after closing.
/// Small pieces are collected, because some writers (PNM) write single bytes.
class OutputStream final : public OIIO::Filesystem::IOProxy {
public:
    /// Truncates the file at `path`. With a `begin`, the bytes before it stay, and positions count from there.
    explicit OutputStream(const std::filesystem::path& path, std::uint64_t begin = 0);
    ~OutputStream() override;
    OutputStream(const OutputStream&) = delete;
    OutputStream& operator=(const OutputStream&) = delete;

    /// Must not be "file": the JPEG writer would take this object for the library's own class.
    const char* proxytype() const override { return "clconv"; }
    void close() override;
    bool seek(int64_t offset) override;
    size_t write(const void* bytes, size_t count) override;
    size_t pwrite(const void* bytes, size_t count, int64_t offset) override;
    size_t size() const override { return size_; }

    /// The system's number of the first error; 0: none.
    [[nodiscard]] int first_error() const { return first_error_; }

private:
    /// Writes the collected pieces.
    void flush_pieces();
    /// Writes to the file, now.
    void put(const char* bytes, size_t count, int64_t offset);

    std::string pieces_;        ///< not written yet ...
    int64_t pieces_begin_ = 0;  ///< ... and where they belong
    int64_t begin_ = 0;         ///< in the file, where positions count from
    int file_ = -1;
    int first_error_ = 0;
    size_t size_ = 0;
};

}  // namespace clconv::oiio
