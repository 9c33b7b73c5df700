// SPDX-License-Identifier: Apache-2.0
// A writer of WebP pictures that are lossless or have alpha, with the interface of OpenImageIO's writers. OpenImageIO's
// own (2.4) halves the chroma before it compresses without loss, and takes colours that are multiplied by alpha in 8
// bits. Private to src/encoders.
#pragma once

#include "codecs/openimageio.h"

#include <memory>

namespace clconv::webp {

/// Needs a stream (set_ioproxy) before it is opened. Three or four channels of 8 bits, whose colours are not multiplied
/// by alpha. The header's "compression" says whether it is lossless, and "CompressionQuality" how large a loss is.
[[nodiscard]] std::unique_ptr<OIIO::ImageOutput> create_output();

}  // namespace clconv::webp
