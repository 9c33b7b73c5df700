// SPDX-License-Identifier: Apache-2.0
#include "formats/jpeg_blocks.h"

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
    return segment.marker == 0xED && segment.bytes.starts_with(kPhotoshopStart);
}

bool is_xmp(const JpegSegment& segment) { return segment.marker == kApp1 && segment.bytes.starts_with(kXmpStart); }

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
