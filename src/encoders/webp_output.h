// A writer of lossless WebP pictures with the interface of OpenImageIO's writers. OpenImageIO's own (2.4) halves the
// chroma before it compresses without loss. Private to src/encoders.
#pragma once

#include "codecs/openimageio.h"

#include <memory>

namespace clconv::webp {

/// Needs a stream (set_ioproxy) before it is opened. Three or four channels of 8 bits, of which colours are multiplied
/// by alpha; the file's are not.
[[nodiscard]] std::unique_ptr<OIIO::ImageOutput> create_lossless_output();

}  // namespace clconv::webp
