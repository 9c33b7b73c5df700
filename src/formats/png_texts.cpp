// SPDX-License-Identifier: Apache-2.0
#include "formats/png_texts.h"

#include "formats/latin1.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace clconv::oiio {
namespace {

/// Attributes that are no texts of the picture: how a JPEG is stored, pieces of XMP (which is copied whole), and the
/// meaning of samples. The case of letters counts: "Exif:" is of a camera.
bool is_of_library(std::string_view keyword)
{
    constexpr std::array<std::string_view, 4> beginnings{"jpeg:", "rdf:", "exif:", "ICCProfile:"};
    return keyword == "oiio:ColorSpace" ||
           std::ranges::any_of(beginnings, [&](std::string_view beginning) { return keyword.starts_with(beginning); });
}

}  // namespace

std::optional<PngChunk> corrected_text(PngChunk chunk)
{
    const std::size_t end = chunk.bytes.find('\0');
    if (chunk.name != "tEXt" || end == std::string::npos) return chunk;
    const std::string keyword = chunk.bytes.substr(0, end);
    const std::string text = chunk.bytes.substr(end + 1);
    if (is_of_library(keyword)) return std::nullopt;
    if (is_ascii(chunk.bytes) || !is_utf8(chunk.bytes)) return chunk;
    const std::optional<std::string> latin1 = latin1_of_utf8(keyword);
    // W3C PNG, 11.3.3.4. The zeros mean: the end of the keyword, not compressed, no language, no translated keyword.
    return PngChunk{"iTXt", latin1.value_or(keyword) + std::string(5, '\0') + text};
}

}  // namespace clconv::oiio
