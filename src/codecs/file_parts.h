// SPDX-License-Identifier: Apache-2.0
// Which images of a file are its parts: pages of a TIFF, parts of an OpenEXR file, frames of an animation. Private to
// src/codecs.
//
// Smaller copies of a page (pyramids, thumbnails) are not parts, and neither are the layers of a PSD, whose first image
// shows them all.
#pragma once

#include "codecs/decoding.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace clconv::oiio {

/// The place where the library finds a part.
struct PartPlace {
    int subimage = 0;             ///< the library's number
    std::uint64_t directory = 0;  ///< position of a TIFF's page in the file; 0 if the library's number is enough
};

struct FileParts {
    std::vector<PartPlace> places;  ///< at least one
    bool has_levels = false;        ///< whether there are also smaller copies
    std::string damage;             ///< why there may be more parts, or empty

    [[nodiscard]] int count() const { return static_cast<int>(places.size()); }
};

/// The place of part `number` of the file at `path`. Throws InputError that says which parts there are.
[[nodiscard]] PartPlace place_of(const std::filesystem::path& path, const FileParts& parts, int number);

/// The parts of the file at `path`. `input`: the same file, opened. Afterwards it is at another image, unless it is a
/// TIFF or a GIF.
[[nodiscard]] FileParts file_parts(const std::filesystem::path& path, Decoder& input);

/// The same, found without the library: for files with a TIFF's extension, GIF, and formats of one image. None for
/// other files.
[[nodiscard]] std::optional<FileParts> plain_file_parts(const std::filesystem::path& path);

}  // namespace clconv::oiio
