// SPDX-License-Identifier: Apache-2.0
// What the user may choose about written files.
#pragma once

#include "base/existing.h"
#include "base/file_type.h"

#include <cstdint>
#include <optional>
#include <string>

namespace clconv {

/// See encoders/compression.h.
struct Compression {
    std::string name;  ///< as OpenImageIO calls it: "zip", "piz"
    std::optional<int> level;
};

struct WriteOptions {
    std::optional<FileType>
        type;                    ///< of the file's samples; none: image.stored_type, or the nearest the format can hold
    std::optional<int> quality;  ///< 1 .. 100, for formats that have one (JPEG; WebP; JPEG in TIFF)
    bool strip_metadata = false;                  ///< keep only orientation and compression
    std::optional<Compression> compression = {};  ///< one that check_compression() passes
    bool dither = false;  ///< floats become integers with noise that depends on the file's name, instead of by rounding
    std::uint64_t part = 0;                   ///< the number of the image in its file; each has its own noise
    std::string history = {};                 ///< how the image was made, for headers that contain it (FITS)
    Existing existing = Existing::overwrite;  ///< as TemporaryFile::commit() takes it
};

}  // namespace clconv
