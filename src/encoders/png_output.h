// SPDX-License-Identifier: Apache-2.0
// A writer of PNG files, by libpng alone. It writes the bytes that OpenImageIO's (2.4) writes, whose libraries take
// long to load: docs/decisions/057-codecs-without-openimageio.md. Private to src/encoders.
#pragma once

#include "codecs/image_output.h"

#include <memory>

namespace clconv::png {

/// Whether create_output() can write such an image as OpenImageIO would: 8 or 16 bits, one to four channels, no tiles,
/// and if the last of two or four is alpha, it is straight.
[[nodiscard]] bool can_write(const oiio::FileHeader& header);

/// Needs a stream. Rows come from the top down. The attributes png:compressionLevel, png:filter and compression (zlib's
/// strategy) say how samples are stored, as in OpenImageIO. Of all metadata, only colour (gAMA, sRGB, cHRM, iCCP) and
/// the offset (oFFs) are written: it is for files that then get another file's chunks (formats/png_chunks.h).
[[nodiscard]] std::unique_ptr<oiio::ImageOutput> create_output();

}  // namespace clconv::png
