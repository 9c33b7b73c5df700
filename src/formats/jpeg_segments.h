// SPDX-License-Identifier: Apache-2.0
// The segments of a JPEG file before its first scan: tables, the frame, and all metadata.
#pragma once

#include "formats/file_head.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace clconv::oiio {

struct JpegSegment {
    unsigned char marker = 0;  ///< the second byte of it: 0xE1 is APP1
    std::string bytes = {};    ///< without marker and length
};

/// Whether a segment of this marker is a frame header (ISO 10918-1, B.2.2).
[[nodiscard]] constexpr bool is_jpeg_frame(unsigned marker)
{
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

/// Where a segment lies in a file.
struct JpegPlace {
    unsigned marker = 0;      ///< the second byte of it
    std::uint64_t place = 0;  ///< of its contents, behind marker and length
    std::uint64_t size = 0;   ///< of them

    [[nodiscard]] std::uint64_t begin() const { return place - 4; }
    [[nodiscard]] std::uint64_t end() const { return place + size; }
};

/// The segment at `offset`, in front of which bytes of 0xFF may fill the file up (ISO 10918-1, B.1.1.2). None if it is
/// no segment with a length, or if the file ends before its contents.
[[nodiscard]] std::optional<JpegPlace> jpeg_segment_at(FileHead& file, std::uint64_t offset);

/// In the file's order, as far as they can be read: a damaged file has those before the damage. None if the file is not
/// a JPEG, or if they take more than 32 MiB.
[[nodiscard]] std::vector<JpegSegment> jpeg_segments(const std::filesystem::path& path);

/// The same of a JPEG, or of its beginning, that is in memory.
[[nodiscard]] std::vector<JpegSegment> jpeg_segments(const std::string& bytes);

}  // namespace clconv::oiio
