// SPDX-License-Identifier: Apache-2.0
// Metadata in the segments of a JPEG: of which kind a segment is, and the blocks that it holds.
#pragma once

#include "formats/embedded_blocks.h"
#include "formats/jpeg_segments.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace clconv::oiio {

inline constexpr unsigned char kApp0 = 0xE0;   ///< JFIF
inline constexpr unsigned char kApp1 = 0xE1;   ///< Exif and XMP
inline constexpr unsigned char kApp2 = 0xE2;   ///< ICC profiles
inline constexpr unsigned char kApp13 = 0xED;  ///< Photoshop's resources
inline constexpr unsigned char kAdobe = 0xEE;  ///< says how colours are encoded

/// What the segments of these blocks begin with.
inline constexpr std::string_view kJfifStart("JFIF\0", 5);
inline constexpr std::string_view kExifStart("Exif\0\0", 6);
inline constexpr std::string_view kProfileStart("ICC_PROFILE\0", 12);
inline constexpr std::string_view kPhotoshopStart("Photoshop 3.0\0", 14);
inline constexpr std::string_view kXmpStart("http://ns.adobe.com/xap/1.0/\0", 29);

/// Whether a segment of this marker is a comment or data of programs.
[[nodiscard]] bool is_metadata(unsigned char marker);
[[nodiscard]] bool is_exif(const JpegSegment& segment);
[[nodiscard]] bool is_photoshop(const JpegSegment& segment);
[[nodiscard]] bool is_xmp(const JpegSegment& segment);
[[nodiscard]] bool is_profile(const JpegSegment& segment);

/// The first Exif and XMP, and all of Photoshop's resources.
[[nodiscard]] EmbeddedBlocks blocks_of(const std::vector<JpegSegment>& segments);

/// The bytes of a profile that a segment holds.
inline constexpr std::size_t kProfilePiece = 65519;

/// The segments of a profile: ICC.1:2022, B.4. None if it takes more than 255.
[[nodiscard]] std::vector<JpegSegment> profile_segments(std::string_view profile);

}  // namespace clconv::oiio
