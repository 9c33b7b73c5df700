// SPDX-License-Identifier: Apache-2.0
#include "formats/raw_profile.h"

#include "formats/png_texts.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace clconv::oiio {
namespace {

constexpr std::string_view kRawExifHead("Exif\0\0", 6);

int digit(char letter)
{
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    return letter >= 'A' && letter <= 'F' ? letter - 'A' + 10 : -1;
}

}  // namespace

bool is_raw_exif(const PngChunk& chunk)
{
    if (chunk.name != "tEXt" && chunk.name != "zTXt") return false;
    const std::string_view keyword(chunk.bytes.c_str());
    return keyword == "Raw profile type exif" || keyword == "Raw profile type APP1";
}

/// The text is a line break, the profile's name, its length, and lines of hexadecimal digits, as ImageMagick writes it.
std::string exif_in(const PngChunk& chunk)
{
    const std::string text = text_in(chunk).text;
    std::size_t at = text.find('\n', 1);  // behind the name
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) ++at;
    std::string block;
    int high = -1;
    for (; at < text.size(); ++at) {
        const int value = digit(text[at]);
        if (value < 0) continue;
        if (high < 0) {
            high = value;
            continue;
        }
        block += static_cast<char>(high << 4 | value);
        high = -1;
    }
    if (!block.starts_with(kRawExifHead))
        return block.starts_with("II") || block.starts_with("MM") ? block : std::string();
    return block.substr(kRawExifHead.size());
}

}  // namespace clconv::oiio
