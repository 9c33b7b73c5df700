// SPDX-License-Identifier: Apache-2.0
// What a file says of itself that the library does not read. Private to src/codecs.
#pragma once

#include "codecs/decoding.h"

#include <cstdint>
#include <filesystem>

namespace clconv::oiio {

/// Adds what the library does not read of the file at `path` to `metadata`: of JPEG, PNG, WebP, HEIF, OpenEXR and GIF,
/// of palettes, and of a TIFF's page, whose directory lies at `page` (0: the first).
void read_blocks(const std::filesystem::path& path, std::uint64_t page, Metadata& metadata);

}  // namespace clconv::oiio
