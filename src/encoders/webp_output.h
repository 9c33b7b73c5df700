// SPDX-License-Identifier: Apache-2.0
// A writer of WebP pictures that are lossless or have alpha. OpenImageIO's
// own (2.4) halves the chroma before it compresses without loss, and takes colours that are multiplied by alpha in 8
// bits. Private to src/encoders.
#pragma once

#include "codecs/image_output.h"

#include <memory>

namespace clconv::webp {

/// Needs a stream. Three or four channels of 8 bits, whose colours are not multiplied
/// by alpha. The header's "compression" says whether it is lossless, and "CompressionQuality" how large a loss is.
[[nodiscard]] std::unique_ptr<oiio::ImageOutput> create_output();

}  // namespace clconv::webp
