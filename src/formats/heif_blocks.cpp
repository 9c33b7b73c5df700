// SPDX-License-Identifier: Apache-2.0
#include "formats/heif_blocks.h"

#include "formats/heif_items.h"

#include <algorithm>
#include <string_view>

namespace clconv::oiio {
namespace {

/// Whether a block of metadata is about the picture, or does not say what it is about.
bool is_of_picture(const HeifItems& items, std::uint64_t item)
{
    const auto described = items.references.find({"cdsc", item});
    if (described == items.references.end()) return true;
    return std::ranges::find(described->second, items.primary) != described->second.end();
}

std::string bytes_of_item(FileHead& file, const HeifItems& items, std::uint64_t item)
{
    constexpr std::uint64_t maximum = std::uint64_t{32} << 20U;
    const auto found = items.places.find(item);
    if (found == items.places.end() || found->second.pieces != 1 || found->second.size > maximum) return {};
    const std::uint64_t begin = found->second.is_in_box ? items.box_data : 0;
    return file.part(begin + found->second.place, static_cast<std::size_t>(found->second.size));
}

/// Four bytes say how many more are in front of the block.
std::string exif_in_item(const std::string& bytes)
{
    constexpr std::size_t of_offset = 4;
    const std::uint64_t before = number_in(bytes, 0, of_offset, ByteOrder::big);
    if (bytes.size() < of_offset || before > bytes.size() - of_offset) return {};
    std::string block = bytes.substr(of_offset + before);
    return block.starts_with("II") || block.starts_with("MM") ? block : std::string();
}

}  // namespace

EmbeddedBlocks heif_blocks(const std::filesystem::path& path, Extent decoded)
{
    FileHead file(path);
    const HeifItems items = heif_items(file);
    EmbeddedBlocks blocks;
    for (const auto& [item, type] : items.types) {
        if ((type != "Exif" && type != "XMP") || !is_of_picture(items, item)) continue;
        const std::string bytes = bytes_of_item(file, items, item);
        if (type == "Exif" && blocks.exif.empty()) blocks.exif = upright_exif(exif_in_item(bytes), decoded);
        if (type == "XMP" && blocks.xmp.empty()) blocks.xmp = upright_xmp(bytes, decoded);
    }
    return blocks;
}

}  // namespace clconv::oiio
