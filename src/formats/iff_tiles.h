// SPDX-License-Identifier: Apache-2.0
// Checks, without a library, that the tiles of a Maya IFF file fit into the memory that the library's reader has for
// them.
//
// After "Maya Image File Format - IFF" (Autodesk's documentation of Maya's libraries).
#pragma once

#include <filesystem>
#include <string>

namespace clconv::oiio {

struct IffTiles {
    /// What is wrong with the file, if the library's reader would use memory that is not its own, or would never end.
    /// Such a file must not be decoded. Empty if nothing is wrong.
    std::string fault = {};
    /// Whether tiles are missing. The library leaves them black and reports no error.
    bool is_incomplete = false;
};

/// `path`: of a file that the library takes for Maya's IFF.
[[nodiscard]] IffTiles iff_tiles(const std::filesystem::path& path);

}  // namespace clconv::oiio
