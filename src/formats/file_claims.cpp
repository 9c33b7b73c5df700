// SPDX-License-Identifier: Apache-2.0
#include "formats/file_claims.h"

#include "formats/file_head.h"
#include "formats/heif_items.h"
#include "formats/jpeg2000_stream.h"
#include "formats/jpeg_segments.h"
#include "formats/psd_sections.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

namespace clconv::oiio {
namespace {

constexpr std::string_view kExr("\x76\x2F\x31\x01", 4);
constexpr std::uint64_t kFtyp = 0x66747970;  ///< the name of the first box of HEIF
constexpr std::string_view kJp2("\0\0\0\x0CjP  \r\n\x87\n", 12);

std::uint64_t at(const std::string& bytes, std::size_t offset) { return static_cast<unsigned char>(bytes.at(offset)); }

struct JpegFrame {
    bool is_progressive = false;
    std::uint64_t coefficients = 0;
};

/// ISO 10918-1, B.2.2: a frame header. Fills in what it claims of the size.
JpegFrame jpeg_frame(FileHead& head, const JpegPlace& segment, FileClaims& claims)
{
    const std::string frame = head.part(segment.place + 1, 5);
    if (frame.empty()) return {};
    claims.height = at(frame, 0) << 8U | at(frame, 1);
    claims.width = at(frame, 2) << 8U | at(frame, 3);
    claims.channels = at(frame, 4);
    const std::string components = head.part(segment.place + 6, 3 * claims.channels);
    std::uint64_t maximum = 1;
    std::uint64_t sum = 0;
    for (std::size_t c = 0; 3 * c + 2 < components.size(); ++c) {
        const std::uint64_t factors = (at(components, 3 * c + 1) >> 4U) * (at(components, 3 * c + 1) & 15U);
        maximum = std::max(maximum, factors);
        sum += factors;
    }
    return {(segment.marker & 3U) == 2, claims.pixels() * sum / maximum};
}

/// ISO 10918-1, B.2: the first scan says whether it holds all components of the frame. If not, or in progressive files,
/// libjpeg holds two bytes of every coefficient.
std::optional<FileClaims> jpeg_claims(FileHead& head)
{
    FileClaims claims{.format = "a JPEG"};
    JpegFrame frame;
    std::uint64_t offset = 2;
    constexpr int max_segments = 10'000;
    for (int i = 0; i < max_segments; ++i) {
        const std::optional<JpegPlace> segment = jpeg_segment_at(head, offset);
        if (!segment) return std::nullopt;
        if (is_jpeg_frame(segment->marker)) frame = jpeg_frame(head, *segment, claims);
        if (segment->marker == 0xDA) {
            const std::uint64_t in_scan = number_in(head.part(segment->place, 1), 0, 1, ByteOrder::big);
            if (claims.channels == 0 || in_scan == 0) return std::nullopt;
            if (!frame.is_progressive && in_scan >= claims.channels) return claims;
            claims.format = frame.is_progressive ? "a progressive JPEG" : "a JPEG of several scans";
            claims.decoder_bytes = 2 * frame.coefficients;
            return claims;
        }
        offset = segment->end();
    }
    return std::nullopt;
}

/// W3C PNG, 11.2.2. Deflate makes at most 1032 bytes of one.
std::optional<FileClaims> png_claims(const FileHead& head)
{
    constexpr std::array<std::uint64_t, 7> channels{1, 0, 3, 1, 2, 0, 4};
    FileClaims claims{.format = "a PNG", .max_ratio = 1032};
    claims.width = head.number(16, 4, ByteOrder::big);
    claims.height = head.number(20, 4, ByteOrder::big);
    const std::uint64_t depth = head.number(24, 1, ByteOrder::big);
    const std::uint64_t colour = head.number(25, 1, ByteOrder::big);
    claims.channels = colour < channels.size() ? channels[colour] : 0;
    claims.packed_bytes = claims.pixels() / 8 * claims.channels * depth;
    if (head.number(28, 1, ByteOrder::big) == 0) return claims;
    claims.format = "an interlaced PNG";
    claims.decoder_bytes =
        claims.pixels() * std::max<std::uint64_t>(claims.channels, 3) * std::max<std::uint64_t>(depth / 8, 1);
    return claims;
}

/// GIF89a, 18: the screen, which the library holds as RGBA, and the frame's indices.
std::optional<FileClaims> gif_claims(const FileHead& head)
{
    FileClaims claims{.format = "a GIF", .channels = 4};
    claims.width = head.number(6, 2, ByteOrder::little);
    claims.height = head.number(8, 2, ByteOrder::little);
    claims.decoder_bytes = 5 * claims.pixels();
    return claims;
}

/// Adobe Photoshop File Formats, "File Header Section". RLE makes at most 64 bytes of one.
std::optional<FileClaims> psd_claims(const std::filesystem::path& path, const FileHead& head)
{
    FileClaims claims{.format = "a PSD", .max_ratio = 1032};
    claims.channels = head.number(12, 2, ByteOrder::big);
    claims.height = head.number(14, 4, ByteOrder::big);
    claims.width = head.number(18, 4, ByteOrder::big);
    claims.packed_bytes = claims.pixels() / 8 * claims.channels * head.number(22, 2, ByteOrder::big);
    claims.decoder_bytes = std::max(claims.packed_bytes, psd_sections(path).bytes);
    return claims;
}

/// Microsoft's DDS_HEADER. A block of 8 bytes makes at most 16 pixels.
std::optional<FileClaims> dds_claims(const FileHead& head)
{
    FileClaims claims{.format = "a DDS", .channels = 4, .max_ratio = 16};
    claims.height = head.number(12, 4, ByteOrder::little);
    claims.width = head.number(16, 4, ByteOrder::little);
    claims.packed_bytes = claims.decoder_bytes = 4 * claims.pixels();
    return claims;
}

/// "The SGI Image File Format": an RLE file has two tables of four bytes for each row of each channel.
std::optional<FileClaims> sgi_claims(const FileHead& head)
{
    FileClaims claims{.format = "an SGI", .max_ratio = 1};
    claims.width = head.number(6, 2, ByteOrder::big);
    claims.height = head.number(8, 2, ByteOrder::big);
    claims.channels = head.number(10, 2, ByteOrder::big);
    const bool is_rle = head.number(2, 1, ByteOrder::big) == 1;
    if (is_rle) claims.packed_bytes = claims.decoder_bytes = 8 * claims.height * claims.channels;
    return claims;
}

/// SMPTE 268M: the first element's description, and the user's data, which the library reads.
std::optional<FileClaims> dpx_claims(const FileHead& head, ByteOrder order)
{
    FileClaims claims{.format = "a DPX", .channels = 1, .max_ratio = 128};
    claims.width = head.number(772, 4, order);
    claims.height = head.number(776, 4, order);
    claims.packed_bytes = claims.pixels() / 8 * head.number(803, 1, order);
    const std::uint64_t user = head.number(32, 4, order);
    constexpr std::uint64_t copies = 4;  // the decoder's, its header's, and those of the header here
    if (user != 0xFFFFFFFF) {
        claims.decoder_bytes = copies * user;
        claims.plain_bytes = user;
    }
    return claims;
}

/// Microsoft's BITMAPINFOHEADER. The library holds the codes of a compressed BMP, one byte a pixel. A few bytes can end
/// a bitmap of any size, so that no length is too short.
std::optional<FileClaims> bmp_claims(const FileHead& head)
{
    constexpr std::uint64_t min_size = 40;
    constexpr std::uint64_t rle8 = 1;
    constexpr std::uint64_t rle4 = 2;
    const std::uint64_t compression = head.number(30, 4, ByteOrder::little);
    if (head.number(14, 4, ByteOrder::little) < min_size || (compression != rle8 && compression != rle4))
        return std::nullopt;
    FileClaims claims{.format = "a compressed BMP", .channels = 3};
    claims.width = head.number(18, 4, ByteOrder::little);
    const auto height = static_cast<std::uint32_t>(head.number(22, 4, ByteOrder::little));
    claims.height = std::min(height, 0U - height);  // negative: rows from the top
    claims.decoder_bytes = claims.pixels();
    return claims;
}

/// RFC 9649, 2.5 to 2.7: the canvas of an extended file, or the picture of a simple one. libwebp holds it twice with
/// four bytes a pixel.
std::optional<FileClaims> webp_claims(const FileHead& head)
{
    constexpr std::uint64_t size_mask = 0x3FFF;
    const std::string_view chunk =
        std::string_view(head.bytes()).substr(std::min<std::size_t>(12, head.bytes().size()), 4);
    FileClaims claims{.format = "a WebP", .channels = 4};
    if (chunk == "VP8X") {
        claims.width = head.number(24, 3, ByteOrder::little) + 1;
        claims.height = head.number(27, 3, ByteOrder::little) + 1;
    } else if (chunk == "VP8L") {
        const std::uint64_t sizes = head.number(21, 4, ByteOrder::little);
        claims.width = (sizes & size_mask) + 1;
        claims.height = (sizes >> 14U & size_mask) + 1;
    } else if (chunk == "VP8 ") {
        claims.width = head.number(26, 2, ByteOrder::little) & size_mask;
        claims.height = head.number(28, 2, ByteOrder::little) & size_mask;
    }
    claims.decoder_bytes = 8 * claims.pixels();
    return claims;
}

/// ISO 15444-1, A.5.1: the segment SIZ, which begins a codestream. OpenJPEG holds four bytes of every sample.
std::optional<FileClaims> jpeg2000_claims(FileHead& head)
{
    constexpr std::size_t up_to_channels = 42;
    const std::optional<std::uint64_t> stream = jpeg2000_stream(head);
    const std::string size = stream ? head.part(*stream, up_to_channels) : "";
    if (size.empty()) return std::nullopt;
    const auto extent = [&](std::size_t end, std::size_t begin) {
        const std::uint64_t last = number_in(size, end, 4, ByteOrder::big);
        return last - std::min(last, number_in(size, begin, 4, ByteOrder::big));
    };
    FileClaims claims{.format = "a JPEG 2000"};
    claims.width = extent(8, 16);
    claims.height = extent(12, 20);
    claims.channels = number_in(size, 40, 2, ByteOrder::big);
    claims.decoder_bytes = 4 * claims.channels * claims.pixels();
    return claims;
}

/// ISO 23008-12, 6.5.3: the extent of the primary item. libheif holds planes of luminance, chroma and alpha, of two
/// bytes a sample if they have more than 8 bits, beside the picture.
std::optional<FileClaims> heif_claims(FileHead& head)
{
    constexpr std::size_t of_width = 4;  // behind version and flags
    constexpr std::uint64_t planes = 8;  // bytes a pixel
    const HeifItems items = heif_items(head);
    const std::map<std::string, std::string> properties = properties_of(head, items, items.primary);
    const auto extent = properties.find("ispe");
    if (extent == properties.end()) return std::nullopt;
    FileClaims claims{.format = "a HEIF", .channels = 3};
    claims.width = number_in(extent->second, of_width, 4, ByteOrder::big);
    claims.height = number_in(extent->second, of_width + 4, 4, ByteOrder::big);
    claims.decoder_bytes = planes * claims.pixels();
    return claims;
}

}  // namespace

std::optional<FileClaims> claims_of(const std::filesystem::path& path)
{
    FileHead head(path);
    if (head.begins("\xFF\xD8")) return jpeg_claims(head);
    if (head.begins("\x89PNG\r\n\x1A\n")) return png_claims(head);
    if (head.begins("GIF8")) return gif_claims(head);
    if (head.begins("8BPS")) return psd_claims(path, head);
    if (head.begins("DDS ")) return dds_claims(head);
    if (head.begins("\x01\xDA")) return sgi_claims(head);
    if (head.begins("SDPX")) return dpx_claims(head, ByteOrder::big);
    if (head.begins("XPDS")) return dpx_claims(head, ByteOrder::little);
    if (head.begins("BM")) return bmp_claims(head);
    if (head.begins("RIFF")) return webp_claims(head);
    if (number_in(head.bytes(), 4, 4, ByteOrder::big) == kFtyp) return heif_claims(head);
    if (head.begins(kJp2) || head.begins("\xFF\x4F\xFF\x51")) return jpeg2000_claims(head);
    return std::nullopt;
}

bool is_exr(const std::filesystem::path& path)
{
    std::array<char, 4> magic{};
    std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
    return std::string_view(magic.data(), magic.size()) == kExr;
}

}  // namespace clconv::oiio
