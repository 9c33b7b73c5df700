// SPDX-License-Identifier: Apache-2.0
// A file in memory that has a path. Private to src/encoders.
#pragma once

#include "encoders/output_stream.h"

#include <string>

namespace clconv::oiio {

/// For writers that accept no stream. They do not notice a full disk, or crash on it.
class MemoryFile {
public:
    /// Throws InputError if the system cannot make one.
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
