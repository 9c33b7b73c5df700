// SPDX-License-Identifier: Apache-2.0
#include "formats/jpeg_blocks.h"

#include "base/ceil_div.h"

#include <string>
#include <utility>

namespace clconv::oiio {

bool is_metadata(unsigned char marker)
{
    constexpr unsigned char last_app = 0xEF;
    constexpr unsigned char comment = 0xFE;
    return (marker >= kApp0 && marker <= last_app) || marker == comment;
}

bool is_exif(const JpegSegment& segment) { return segment.marker == kApp1 && segment.bytes.starts_with(kExifStart); }

bool is_photoshop(const JpegSegment& segment)
{
    return segment.marker == kApp13 && segment.bytes.starts_with(kPhotoshopStart);
}

bool is_xmp(const JpegSegment& segment) { return segment.marker == kApp1 && segment.bytes.starts_with(kXmpStart); }

bool is_profile(const JpegSegment& segment)
{
    return segment.marker == kApp2 && segment.bytes.starts_with(kProfileStart);
}

std::vector<JpegSegment> profile_segments(std::string_view profile)
{
    constexpr std::size_t max_pieces = 255;
    const std::size_t count = ceil_div(profile.size(), kProfilePiece);
    std::vector<JpegSegment> segments;
    if (count > max_pieces) return segments;
    for (std::size_t i = 0; i < count; ++i) {
        std::string bytes(kProfileStart);
        bytes += static_cast<char>(i + 1);
        bytes += static_cast<char>(count);
        bytes += profile.substr(i * kProfilePiece, kProfilePiece);
        segments.push_back({kApp2, std::move(bytes)});
    }
    return segments;
}

EmbeddedBlocks blocks_of(const std::vector<JpegSegment>& segments)
{
    EmbeddedBlocks blocks;
    for (const JpegSegment& segment : segments) {
        if (is_exif(segment) && blocks.exif.empty()) blocks.exif = segment.bytes.substr(kExifStart.size());
        if (is_xmp(segment) && blocks.xmp.empty()) blocks.xmp = segment.bytes.substr(kXmpStart.size());
        if (is_photoshop(segment)) blocks.photoshop += segment.bytes.substr(kPhotoshopStart.size());
    }
    return blocks;
}

}  // namespace clconv::oiio
