// A file in memory that has a path. Private to src/image.
#pragma once

#include "image/output_stream.h"

#include <string>

namespace clconv::oiio {

/// Where writers that open their file themselves write to: they do not notice that a disk is full, or crash when it is
/// (TIFF with EXIF, OpenImageIO 2.4), so that they never see one.
class MemoryFile {
public:
    /// Throws InputError if the system gives none.
    MemoryFile();
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    [[nodiscard]] std::string path() const;

    /// Writes all that it holds to `stream`.
    void copy_to(OutputStream& stream) const;

private:
    int file_ = -1;
};

}  // namespace clconv::oiio
