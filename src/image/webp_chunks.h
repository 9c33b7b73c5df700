// Profile, Exif and XMP of a WebP file. Private to src/image.
#pragma once

#include "base/extent.h"
#include "image/embedded_blocks.h"

#include <filesystem>
#include <string>

namespace clconv::oiio {

struct WebpBlocks {
    std::string profile = {};
    EmbeddedBlocks blocks = {};
};

/// Those of a file; none where it is no WebP, as far as they can be read, and up to 32 MiB.
[[nodiscard]] WebpBlocks webp_blocks(const std::filesystem::path& path);

/// Gives the complete WebP of one image of `extent` at `path` these, in the place of those that it has. Throws
/// InputError.
void put_webp_blocks(const std::filesystem::path& path, Extent extent, const WebpBlocks& blocks);

}  // namespace clconv::oiio
