// Which images of a file are its parts: pages of a TIFF, parts of an OpenEXR file, frames of an animation. Private to
// src/image.
//
// Smaller copies of a page (pyramids, thumbnails) are none, nor are the layers of a PSD, whose first image shows them
// all.
#pragma once

#include "image/openimageio.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace clconv::oiio {

/// Where the library finds a part.
struct PartPlace {
    int subimage = 0;             ///< the library's number
    std::uint64_t directory = 0;  ///< of a TIFF's page: in the file; 0: the library's number is enough
};

struct FileParts {
    std::vector<PartPlace> places;  ///< at least one
    bool has_levels = false;        ///< smaller copies lie beside them
    std::string damage;             ///< why there may be more parts; else empty

    [[nodiscard]] int count() const { return static_cast<int>(places.size()); }
};

/// The parts of the file at `path`. `input`: the same file, opened; is at another image afterwards, unless it is a TIFF
/// or a GIF.
[[nodiscard]] FileParts file_parts(const std::filesystem::path& path, OIIO::ImageInput& input);

/// The same of what needs no library: TIFF by its extension, GIF, and what cannot hold several. Else none.
[[nodiscard]] std::optional<FileParts> plain_file_parts(const std::filesystem::path& path);

/// A TIFF as if the page whose directory lies at `directory` were its first one. The library finds a page by following
/// the directories from the first on: the time for a file's pages would grow with the square of their number, 22 s for
/// the heads of 2000.
[[nodiscard]] std::unique_ptr<OIIO::Filesystem::IOProxy> tiff_from_page(const std::filesystem::path& path,
                                                                        std::uint64_t directory);

}  // namespace clconv::oiio
