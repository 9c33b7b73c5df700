// SPDX-License-Identifier: Apache-2.0
#include "codecs/read_blocks.h"

#include "formats/embedded_blocks.h"
#include "formats/exr_attributes.h"
#include "formats/gif_frames.h"
#include "formats/heif_blocks.h"
#include "formats/jpeg_blocks.h"
#include "formats/palette.h"
#include "formats/webp_chunks.h"

#include <string>
#include <utility>

namespace clconv::oiio {
namespace {

void add_profile(const std::string& profile, FileHeader& header)
{
    if (profile.empty()) return;
    header.attribute("ICCProfile", OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile.size())),
                     profile.data());
}

}  // namespace

void read_blocks(const std::filesystem::path& path, std::uint64_t page, Metadata& metadata)
{
    if (metadata.format == "jpeg") {
        metadata.segments = jpeg_segments(path);
        metadata.jpeg = jpeg_encoding(metadata.segments);
        metadata.blocks = blocks_of(metadata.segments);
    } else if (metadata.format == "png") {
        metadata.chunks = png_chunks(path);
        metadata.blocks = blocks_of(metadata.chunks);
        metadata.palette_bits = palette_bits(metadata.chunks);
    } else if (metadata.format == "webp") {
        WebpBlocks found = webp_blocks(path);
        metadata.blocks = std::move(found.blocks);
        add_profile(found.profile, metadata.spec);
    } else if (metadata.format == "heif") {
        const HeifColour found = heif_colour(path);
        add_profile(found.profile, metadata.spec);
        metadata.points = found.points;
        metadata.blocks = heif_blocks(path, {metadata.spec.width, metadata.spec.height});
    } else if (metadata.format == "tiff") {
        metadata.tags = tiff_tags(path, page);
        metadata.blocks.xmp = tiff_xmp(metadata.tags);
    } else if (metadata.format == "openexr") {
        metadata.unread = unread_attributes(path);
    } else if (metadata.format == "gif") {
        metadata.has_clear_pixels = gif_frames(path).has_clear_pixels;
    } else {
        metadata.palette_bits = palette_bits(path, metadata.format);
    }
}

}  // namespace clconv::oiio
