// Exif in a text chunk of a PNG, in hexadecimal digits, as programs wrote it before the format had a chunk for it.
// Private to src/image.
#pragma once

#include "image/png_chunks.h"

#include <string>

namespace clconv::oiio {

/// Whether a chunk is called "Raw profile type exif" or "... APP1".
[[nodiscard]] bool is_raw_exif(const PngChunk& chunk);

/// The Exif block in it, from the byte order on. Empty if it is damaged, longer than a MiB, or something else (APP1 may
/// hold XMP).
[[nodiscard]] std::string exif_in(const PngChunk& chunk);

}  // namespace clconv::oiio
