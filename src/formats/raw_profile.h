// SPDX-License-Identifier: Apache-2.0
// Exif in a text chunk of a PNG, as hexadecimal digits. Programs wrote it so before the format had a chunk for Exif.
#pragma once

#include "formats/png_chunks.h"

#include <string>

namespace clconv::oiio {

/// Whether the keyword of a text chunk is "Raw profile type exif" or "Raw profile type APP1".
[[nodiscard]] bool is_raw_exif(const PngChunk& chunk);

/// The Exif block in such a chunk, beginning with the byte order. Empty if it is damaged, too long, or not Exif (APP1
/// may hold XMP).
[[nodiscard]] std::string exif_in(const PngChunk& chunk);

}  // namespace clconv::oiio
