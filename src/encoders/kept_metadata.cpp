// SPDX-License-Identifier: Apache-2.0
#include "encoders/kept_metadata.h"

#include "base/errors.h"
#include "codecs/decoding.h"
#include "codecs/nodata_samples.h"
#include "formats/embedded_blocks.h"
#include "formats/file_splice.h"
#include "formats/jpeg_blocks.h"
#include "formats/photoshop_resources.h"
#include "formats/webp_chunks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

namespace clconv::oiio {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMaxSegmentBytes = 65533;

/// Segments that are true only for the old file: extensions of JFIF hold thumbnails, and MPF has the positions of
/// further pictures.
bool belongs_to_old_file(const JpegSegment& segment)
{
    return segment.marker == kAdobe || (segment.marker == kApp0 && !segment.bytes.starts_with(kJfifStart)) ||
           (segment.marker == 0xE2 && segment.bytes.starts_with("MPF\0"sv));
}

std::string without_jfif_thumbnail(std::string bytes)
{
    constexpr std::size_t plain = 14;
    if (bytes.size() < plain) return bytes;
    bytes.resize(plain);
    bytes[12] = bytes[13] = '\0';
    return bytes;
}

std::string corrected(const JpegSegment& segment, const MetadataChange& change)
{
    const std::string& bytes = segment.bytes;
    if (segment.marker == kApp0) return without_jfif_thumbnail(bytes);
    if (is_exif(segment)) return std::string(kExifStart) + change.exif(bytes.substr(kExifStart.size()));
    if (is_xmp(segment)) {
        std::string packet = change.xmp(bytes);
        return packet.size() > kMaxSegmentBytes ? bytes : packet;
    }
    if (is_photoshop(segment))
        return std::string(kPhotoshopStart) + without_photoshop_thumbnail(bytes.substr(kPhotoshopStart.size()));
    return bytes;
}

std::string as_in_file(const JpegSegment& segment)
{
    const std::size_t length = segment.bytes.size() + 2;
    const std::array<char, 4> head{'\xFF', static_cast<char>(segment.marker), static_cast<char>(length >> 8U),
                                   static_cast<char>(length & 0xFFU)};
    return std::string(head.data(), head.size()) + segment.bytes;
}

void replace_segments(const std::filesystem::path& file, const std::vector<JpegSegment>& kept)
{
    constexpr std::size_t start = 2;
    std::size_t end = start;
    std::string bytes;
    // The writer puts nothing but metadata between the start and the first table.
    std::string encoding;
    for (const JpegSegment& written : jpeg_segments(file)) {
        if (!is_metadata(written.marker)) break;
        end += as_in_file(written).size();
        if (written.marker == kAdobe) encoding += as_in_file(written);
    }
    for (const JpegSegment& segment : kept) bytes += as_in_file(segment);
    replace_bytes(file, start, end - start, bytes + encoding);
}

/// Whether the library's writer (2.4) puts wrong bytes into the last of its segments.
bool is_written_wrongly(std::string_view profile) { return profile.size() > kProfilePiece; }

/// The IPTC of a JPEG for which the library wrote `written`, of attributes and in UTF-8. That of a TIFF is copied byte
/// for byte. WebP has none, and Exif, which is copied, says what the library made of it.
std::string iptc_for(const Metadata& metadata, const std::string& written)
{
    constexpr std::size_t around = 32;  // in the segment
    if (metadata.format == "webp") return {};
    std::string own;
    if (metadata.format == "tiff") own = tiff_iptc(metadata.tags);
    return own.empty() || own.size() + around > kMaxSegmentBytes ? with_character_set(written) : own;
}

/// Replaces the Exif, XMP and IPTC that the library wrote by the blocks of a file of another format, and a profile that
/// it wrote wrongly. Where a block is too long for a segment, the library's stays.
void put_blocks(const std::filesystem::path& file, const Metadata& metadata, const EmbeddedBlocks& blocks,
                const MetadataChange& change, std::string_view profile)
{
    const std::string exif = std::string(kExifStart) + change.exif(blocks.exif);
    const std::string xmp = std::string(kXmpStart) + change.xmp(blocks.xmp);
    const bool puts_exif = !blocks.exif.empty() && exif.size() <= kMaxSegmentBytes;
    const bool puts_xmp = !blocks.xmp.empty() && xmp.size() <= kMaxSegmentBytes;
    std::vector<JpegSegment> pieces;
    if (is_written_wrongly(profile)) pieces = profile_segments(profile);
    std::vector<JpegSegment> segments = jpeg_segments(file);
    segments.erase(std::ranges::find_if(segments, [](const JpegSegment& s) { return !is_metadata(s.marker); }),
                   segments.end());
    const std::string written = iptc_in(blocks_of(segments).photoshop);
    const std::string iptc = iptc_for(metadata, written);
    const bool changes_iptc = iptc != written;
    if (!puts_exif && !puts_xmp && !changes_iptc && pieces.empty()) return;
    std::vector<JpegSegment> kept;
    for (JpegSegment& segment : segments) {
        const bool is_replaced = (puts_exif && is_exif(segment)) || (puts_xmp && is_xmp(segment)) ||
                                 (changes_iptc && is_photoshop(segment)) || (!pieces.empty() && is_profile(segment));
        if (!is_replaced && segment.marker != kAdobe) kept.push_back(std::move(segment));
    }
    const auto behind_jfif = kept.begin() + (!kept.empty() && kept.front().marker == kApp0 ? 1 : 0);
    std::vector<JpegSegment> added;
    if (puts_exif) added.push_back({kApp1, exif});
    if (puts_xmp) added.push_back({kApp1, xmp});
    if (changes_iptc && !iptc.empty())
        added.push_back({kApp13, std::string(kPhotoshopStart) + resources_of_iptc(iptc)});
    kept.insert(behind_jfif, added.begin(), added.end());
    std::ranges::move(pieces, std::back_inserter(kept));
    replace_segments(file, kept);
}

/// Exif and XMP for a file of another format. Of a TIFF, an Exif block is made of its tags.
EmbeddedBlocks blocks_for(const Image& image, bool strips_metadata)
{
    const Metadata& metadata = *image.metadata;
    EmbeddedBlocks blocks;
    if (!strips_metadata) blocks = metadata.blocks;
    if (!strips_metadata && metadata.format == "tiff")
        blocks.exif = exif_of(metadata.tags, metadata.spec.get_string_attribute("ImageDescription"), image.orientation);
    return blocks;
}

/// The orientation stays true even if all other metadata is removed, and these writers of the library do not write it.
EmbeddedBlocks with_orientation(EmbeddedBlocks blocks, int orientation)
{
    if (blocks.exif.empty() && orientation > 1) blocks.exif = exif_of_orientation(orientation);
    return blocks;
}

void keep_in_jpeg(const std::filesystem::path& file, const Metadata& metadata, const MetadataChange& change,
                  const EmbeddedBlocks& blocks, std::string_view profile)
{
    if (metadata.format != "jpeg") return put_blocks(file, metadata, blocks, change, profile);
    if (metadata.jpeg) replace_segments(file, kept_segments(metadata.segments, change));
}

void keep_in_png(const std::filesystem::path& file, const Image& image, const MetadataChange& change,
                 const EmbeddedBlocks& blocks, bool strips_metadata)
{
    if (image.metadata->format == "png" && !strips_metadata)
        return replace_png_chunks(file, image.metadata->chunks, change);
    put_png_blocks(file, blocks, change);
}

void keep_in_webp(const std::filesystem::path& file, const MetadataChange& change, const EmbeddedBlocks& kept,
                  const FileHeader& header, Extent extent)
{
    WebpBlocks blocks;
    blocks.profile = header.icc_profile();
    if (!kept.exif.empty()) blocks.blocks.exif = change.exif(kept.exif);
    if (!kept.xmp.empty()) blocks.blocks.xmp = change.xmp(kept.xmp);
    if (!blocks.profile.empty() || !blocks.blocks.is_empty()) put_webp_blocks(file, extent, blocks);
}

MetadataChange change_of(const WrittenImage& written)
{
    const Image& image = written.image();
    const FileHeader& spec = image.metadata->spec;
    MetadataChange change{.is_srgb_now = written.is_recoded()};
    if (Extent{spec.width, spec.height} != image.extent) change.size = image.extent;
    change.nodata = changed_nodata(image, written.type());
    return change;
}

/// Pixels that are stored in another order can say so in this format.
void keep_in_hdr(const std::filesystem::path& file, const Image& image, bool strips_metadata)
{
    const HdrHead head = image.metadata->hdr.value_or(HdrHead{.magic = "#?RADIANCE", .lines = {}, .size = {}});
    if (!head.lines.empty() || image.orientation != 1) put_hdr_head(file, head, image.orientation, strips_metadata);
}

void keep_in_tiff(const std::filesystem::path& file, const Metadata& metadata, const WrittenImage& written,
                  bool strips_metadata)
{
    const Image& image = written.image();
    std::vector<TiffTag> tags;
    if (!strips_metadata) tags = metadata.format == "tiff" ? metadata.tags : tags_of(metadata.blocks);
    if (tags.empty() && written.meaning().is_empty()) return;
    const bool has_all = image.subimages == static_cast<int>(image.parts.size());
    put_tiff_tags(file, {PageTags{&tags, change_of(written), image.place, has_all, written.meaning()}});
}

}  // namespace

std::vector<JpegSegment> kept_segments(std::vector<JpegSegment> segments, const MetadataChange& change)
{
    std::erase_if(segments, [](const JpegSegment& segment) {
        return !is_metadata(segment.marker) || belongs_to_old_file(segment);
    });
    for (JpegSegment& segment : segments) segment.bytes = corrected(segment, change);
    return segments;
}

PageTags page_tags(const WrittenImage& written, bool has_all_pages)
{
    const Image& image = written.image();
    return {image.metadata ? &image.metadata->tags : nullptr, change_of(written), image.place, has_all_pages,
            written.meaning()};
}

void keep_metadata(const std::filesystem::path& temporary, const std::filesystem::path& target,
                   const WrittenImage& written, const FileFormat& format, const WriteOptions& options)
{
    const Image& image = written.image();
    if (!image.metadata) return;
    const Metadata& metadata = *image.metadata;
    const MetadataChange change = change_of(written);
    const bool strips = options.strip_metadata;
    try {
        const EmbeddedBlocks blocks = blocks_for(image, strips);
        const EmbeddedBlocks oriented_blocks = with_orientation(blocks, image.orientation);
        if (format.name == "png") keep_in_png(temporary, image, change, oriented_blocks, strips);
        if (format.name == "webp")
            keep_in_webp(temporary, change, oriented_blocks, written.header(options), image.extent);
        if (format.name == "jpeg" && !strips) {
            const FileHeader header = written.header(options);
            keep_in_jpeg(temporary, metadata, change, blocks, header.icc_profile());
        }
        if (format.name == "hdr") keep_in_hdr(temporary, image, strips);
        if (format.name == "tiff") keep_in_tiff(temporary, metadata, written, strips);
    } catch (const InputError& error) {
        throw InputError(target.string() + ": cannot be written: " + error.what());
    }
}

}  // namespace clconv::oiio
