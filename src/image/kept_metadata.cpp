#include "image/kept_metadata.h"

#include "base/ceil_div.h"
#include "base/errors.h"
#include "image/exif_block.h"
#include "image/file_splice.h"
#include "image/openimageio.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace clconv::oiio {
namespace {

using namespace std::string_view_literals;

constexpr unsigned char kApp0 = 0xE0;
constexpr unsigned char kAdobe = 0xEE;  // says how colours are encoded
constexpr unsigned char kComment = 0xFE;
constexpr std::string_view kJfif("JFIF\0", 5);
constexpr std::string_view kExif("Exif\0\0", 6);
constexpr std::string_view kPhotoshop("Photoshop 3.0\0", 14);
constexpr std::string_view kXmp("http://ns.adobe.com/xap/1.0/\0", 29);
constexpr std::size_t kLongestSegment = 65533;

bool is_metadata(unsigned char marker) { return (marker >= kApp0 && marker <= 0xEF) || marker == kComment; }

/// What is only true of the old file: extensions of JFIF hold thumbnails, MPF says where further pictures are.
bool belongs_to_old_file(const JpegSegment& segment)
{
    return segment.marker == kAdobe || (segment.marker == kApp0 && !segment.bytes.starts_with(kJfif)) ||
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

std::uint32_t big_endian(const std::string& bytes, std::size_t offset, std::size_t size)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8U | static_cast<unsigned char>(bytes[offset + i]);
    return value;
}

/// Adobe Photoshop File Formats, "Image Resource Blocks": signature, number, name, size, contents, each of even length.
/// Segments that are not made so, as where a block goes on in the next, stay as they are.
std::string without_photoshop_thumbnail(const std::string& bytes)
{
    std::string kept(kPhotoshop);
    for (std::size_t offset = kPhotoshop.size(); offset < bytes.size();) {
        if (bytes.size() - offset < 12 || bytes.compare(offset, 4, "8BIM") != 0) return bytes;
        const std::uint32_t number = big_endian(bytes, offset + 4, 2);
        const std::size_t name = (static_cast<unsigned char>(bytes[offset + 6]) + 2U) / 2 * 2;
        if (bytes.size() - offset < 10 + name) return bytes;
        const std::size_t contents = big_endian(bytes, offset + 6 + name, 4);
        const std::size_t size = 10 + name + rounded_up<std::size_t>(contents, 2);
        if (bytes.size() - offset < 10 + name + contents) return bytes;
        if (number != 0x409 && number != 0x40C) kept += bytes.substr(offset, size);
        offset += size;
    }
    return kept;
}

/// Replaces the number that follows `name` as an attribute or an element.
void set_xmp_number(std::string& packet, std::string_view name, int value)
{
    constexpr std::string_view digits = "0123456789";
    for (std::size_t found = packet.find(name); found != std::string::npos; found = packet.find(name, found)) {
        found += name.size();
        const std::size_t first = packet.find_first_not_of("=\"'> ", found);
        if (first == std::string::npos || first == found) continue;
        const std::size_t last = std::min(packet.find_first_not_of(digits, first), packet.size());
        if (last > first) packet.replace(first, last - first, std::to_string(value));
    }
}

std::string xmp_of_size(std::string packet, Extent size)
{
    for (const char* name : {"exif:PixelXDimension", "tiff:ImageWidth"}) set_xmp_number(packet, name, size.width);
    for (const char* name : {"exif:PixelYDimension", "tiff:ImageLength"}) set_xmp_number(packet, name, size.height);
    return packet;
}

std::string corrected(const JpegSegment& segment, std::optional<Extent> size)
{
    const std::string& bytes = segment.bytes;
    if (segment.marker == kApp0) return without_jfif_thumbnail(bytes);
    if (segment.marker == 0xE1 && bytes.starts_with(kExif))
        return std::string(kExif) + corrected_exif(bytes.substr(kExif.size()), size);
    if (segment.marker == 0xE1 && bytes.starts_with(kXmp) && size) {
        std::string packet = xmp_of_size(bytes, *size);
        return packet.size() > kLongestSegment ? bytes : packet;
    }
    if (segment.marker == 0xED && bytes.starts_with(kPhotoshop)) return without_photoshop_thumbnail(bytes);
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

}  // namespace

std::vector<JpegSegment> kept_segments(std::vector<JpegSegment> segments, std::optional<Extent> size)
{
    std::erase_if(segments, [](const JpegSegment& segment) {
        return !is_metadata(segment.marker) || belongs_to_old_file(segment);
    });
    for (JpegSegment& segment : segments) segment.bytes = corrected(segment, size);
    return segments;
}

void keep_metadata(const std::filesystem::path& temporary, const std::filesystem::path& target, const Image& image,
                   const FileFormat& format, const WriteOptions& options)
{
    if (options.strip_metadata || !image.metadata || image.metadata->format != format.name) return;
    const Metadata& metadata = *image.metadata;
    if (!metadata.jpeg) return;  // no JPEG, or one whose head is damaged
    const Extent before{metadata.spec.width, metadata.spec.height};
    const std::optional<Extent> size = before == image.extent ? std::nullopt : std::optional(image.extent);
    try {
        replace_segments(temporary, kept_segments(metadata.segments, size));
    } catch (const InputError& error) {
        throw InputError(target.string() + ": cannot be written: " + error.what());
    }
}

}  // namespace clconv::oiio
