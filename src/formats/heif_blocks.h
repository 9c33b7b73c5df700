// SPDX-License-Identifier: Apache-2.0
// The Exif and XMP of a HEIF picture, byte for byte, as its decoder's picture needs them.
#pragma once

#include "base/extent.h"
#include "formats/embedded_blocks.h"

#include <filesystem>

namespace clconv::oiio {

/// Those of the primary item (ISO 23008-12, annex A). Decoders turn the picture upright, and the orientation of the
/// blocks says how it was before (annex A.2.4): it becomes 1, and their size becomes that of the upright picture,
/// `decoded`. Thumbnails are removed. Nothing of a damaged file, and no block of more than 32 MiB or of several pieces.
[[nodiscard]] EmbeddedBlocks heif_blocks(const std::filesystem::path& path, Extent decoded);

}  // namespace clconv::oiio
