// The tiles of a Maya IFF file, read without a library: whether the library's reader can decode them in the memory that
// it has for them. Private to src/image.
//
// After "Maya Image File Format - IFF" (Autodesk's documentation of Maya's libraries).
#pragma once

#include <filesystem>
#include <string>

namespace clconv::oiio {

struct IffTiles {
    /// What is wrong with the file, if the library's reader would write or read beyond its memory, or turn in a circle.
    /// Such a file is not to be decoded at all. Empty: nothing.
    std::string fault = {};
    /// Whether the tiles are fewer than the image needs. The library leaves the others black and says nothing.
    bool is_incomplete = false;
};

/// `path`: of a file that the library takes for Maya's IFF.
[[nodiscard]] IffTiles iff_tiles(const std::filesystem::path& path);

}  // namespace clconv::oiio
