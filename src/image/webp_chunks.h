// The ICC profile, Exif and XMP of a WebP file. Private to src/image.
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

/// The blocks of the file at `path`, as far as they can be read. Empty if the file is not a WebP, or if they take more
/// than 32 MiB.
[[nodiscard]] WebpBlocks webp_blocks(const std::filesystem::path& path);

/// Replaces the blocks of the complete WebP at `path`, which holds one image of `extent`. Throws InputError.
void put_webp_blocks(const std::filesystem::path& path, Extent extent, const WebpBlocks& blocks);

}  // namespace clconv::oiio
