// SPDX-License-Identifier: Apache-2.0
#include "formats/png_texts.h"

#include "formats/latin1.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
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

std::string inflated(std::string_view packed)
{
    constexpr std::size_t maximum = std::size_t{4} << 20U;
    std::string plain(std::min(maximum, packed.size() * 20 + 4096), '\0');
    uLongf size = plain.size();
    const int result = uncompress(reinterpret_cast<Bytef*>(plain.data()), &size,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
    if (result != Z_OK) return {};
    plain.resize(size);
    return plain;
}

/// What is in front of the next zero, and takes both away.
std::string_view next_part(std::string_view& bytes)
{
    const std::string_view part = bytes.substr(0, bytes.find('\0'));
    bytes.remove_prefix(std::min(bytes.size(), part.size() + 1));
    return part;
}

}  // namespace

/// W3C PNG, 11.3.3. A keyword; in zTXt how the text is packed; in iTXt whether and how, and two further texts.
PngText text_in(const PngChunk& chunk)
{
    const bool is_international = chunk.name == "iTXt";
    const std::size_t flags = is_international ? 2 : chunk.name == "zTXt" ? 1 : 0;
    if (flags == 0 && chunk.name != "tEXt") return {};
    std::string_view bytes = chunk.bytes;
    const std::string keyword(next_part(bytes));
    if (bytes.size() < flags) return {};
    const bool is_known = flags == 0 || bytes[flags - 1] == '\0';  // zlib's
    if (!is_known) return {};
    const bool is_packed = flags == 1 || (is_international && bytes.front() != '\0');
    bytes.remove_prefix(flags);
    if (is_international) {
        next_part(bytes);
        next_part(bytes);
    }
    return {keyword, is_packed ? inflated(bytes) : std::string(bytes)};
}

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
