// A file in memory that has a path. Private to src/image.
#pragma once

#include "image/output_stream.h"

#include <string>

namespace clconv::oiio {

/// Where those writers write to that take no stream of ours: they do not notice that a disk is full, or crash when it
/// is.
class MemoryFile {
public:
    /// Throws InputError if the system gives none.
    MemoryFile();
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    [[nodiscard]] std::string path() const;

    /// Writes all that it holds to `stream`, which remembers errors.
    void copy_to(OutputStream& stream) const;

private:
    int file_ = -1;
};

}  // namespace clconv::oiio
