// SPDX-License-Identifier: Apache-2.0
#include "formats/photoshop_resources.h"

#include "base/ceil_div.h"
#include "formats/byte_order.h"
#include "formats/latin1.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace clconv::oiio {
namespace {

constexpr std::uint32_t kIptcResource = 0x404;
constexpr std::uint32_t kOldThumbnail = 0x409;
constexpr std::uint32_t kThumbnail = 0x40C;

struct Resource {
    std::uint32_t number = 0;
    std::string bytes = {};     ///< all
    std::string contents = {};  ///< of them
};

/// Those of Photoshop itself, of ImageReady, and of other programs of Adobe and its partners.
bool is_signature(std::string_view letters)
{
    constexpr std::array<std::string_view, 5> known{"8BIM", "MeSa", "PHUT", "AgHg", "DCSR"};
    return std::ranges::find(known, letters) != known.end();
}

struct Resources {
    std::vector<Resource> whole;
    std::string rest = {};  ///< from the first damaged one on
};

/// Adobe Photoshop File Formats, "Image Resource Blocks": signature, number, name, size, contents, each of even length.
Resources resources_in(const std::string& bytes)
{
    Resources found;
    std::size_t offset = 0;
    while (offset < bytes.size()) {
        const std::size_t left = bytes.size() - offset;
        if (left < 12 || !is_signature(std::string_view(bytes).substr(offset, 4))) break;
        const std::size_t name = (static_cast<unsigned char>(bytes[offset + 6]) + 2U) / 2 * 2;
        if (left < 10 + name) break;
        const std::size_t contents = number_in(bytes, offset + 6 + name, 4, ByteOrder::big);
        const std::size_t size = 10 + name + rounded_up<std::size_t>(contents, 2);
        if (left < 10 + name + contents) break;
        found.whole.push_back({static_cast<std::uint32_t>(number_in(bytes, offset + 4, 2, ByteOrder::big)),
                               bytes.substr(offset, size), bytes.substr(offset + 10 + name, contents)});
        offset += size;
    }
    if (offset < bytes.size()) found.rest = bytes.substr(offset);
    return found;
}

}  // namespace

std::string without_photoshop_thumbnail(const std::string& resources)
{
    const Resources all = resources_in(resources);
    std::string kept;
    for (const Resource& resource : all.whole)
        if (resource.number != kOldThumbnail && resource.number != kThumbnail) kept += resource.bytes;
    return kept + all.rest;
}

std::string iptc_in(const std::string& resources)
{
    const Resources all = resources_in(resources);
    for (const Resource& resource : all.whole)
        if (resource.number == kIptcResource) return resource.contents;
    return {};
}

std::string resources_of_iptc(const std::string& iptc)
{
    std::string bytes("8BIM\x04\x04\0\0", 8);  // without a name
    for (unsigned shift = 32; shift > 0; shift -= 8) bytes += static_cast<char>(iptc.size() >> (shift - 8) & 0xFFU);
    bytes += iptc;
    if (iptc.size() % 2 != 0) bytes += '\0';
    return bytes;
}

/// IIM 4.2, chapter 1: each field has a tag of 0x1C, record and number, the size, and contents. Those of record 1 stand
/// first. 1:90 names the character set by an escape sequence of ISO 2022; that of UTF-8 is ESC % G.
std::string with_character_set(const std::string& iptc)
{
    constexpr std::size_t head = 5;
    constexpr char tag = 0x1C;
    constexpr char first_record = 1;
    constexpr char character_set = 90;
    bool is_needed = false;
    for (std::size_t at = 0; at + head <= iptc.size() && iptc[at] == tag;) {
        const std::size_t size = number_in(iptc, at + 3, 2, ByteOrder::big);
        const std::string_view text = std::string_view(iptc).substr(at + head, size);
        if ((iptc[at + 1] == first_record && iptc[at + 2] == character_set) || !is_utf8(text)) return iptc;
        is_needed = is_needed || !is_ascii(text);
        at += head + size;
    }
    return is_needed ? "\x1C\x01\x5A" + std::string("\0\x03\x1B%G", 5) + iptc : iptc;
}

}  // namespace clconv::oiio
