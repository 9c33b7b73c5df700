// SPDX-License-Identifier: Apache-2.0
// The texts of a PNG, and those that OpenImageIO's writer puts into one, made true to the format.
#pragma once

#include "formats/png_chunks.h"

#include <optional>
#include <string>

namespace clconv::oiio {

struct PngText {
    std::string keyword = {};
    std::string text = {};
};

/// The text in a chunk (tEXt, zTXt, iTXt), as its bytes are. Empty if it is damaged or packed to more than 4 MiB, or if
/// the chunk holds none.
[[nodiscard]] PngText text_in(const PngChunk& chunk);

/// A chunk as OpenImageIO (2.4) wrote it, as it should be. It writes every attribute that is a text as Latin-1 (tEXt),
/// whose bytes are in truth UTF-8: such a text becomes one of UTF-8 (iTXt). None if the text is about OpenImageIO's
/// own decoders, or a copy of what the file says in chunks for it. Other chunks stay.
[[nodiscard]] std::optional<PngChunk> corrected_text(PngChunk chunk);

}  // namespace clconv::oiio
