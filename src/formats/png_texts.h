// SPDX-License-Identifier: Apache-2.0
// The texts that OpenImageIO's writer puts into a PNG, made true to the format.
#pragma once

#include "formats/png_chunks.h"

#include <optional>

namespace clconv::oiio {

/// A chunk as OpenImageIO (2.4) wrote it, as it should be. It writes every attribute that is a text as Latin-1 (tEXt),
/// whose bytes are in truth UTF-8: such a text becomes one of UTF-8 (iTXt). None if the text is about OpenImageIO's
/// own decoders, or a copy of what the file says in chunks for it. Other chunks stay.
[[nodiscard]] std::optional<PngChunk> corrected_text(PngChunk chunk);

}  // namespace clconv::oiio
