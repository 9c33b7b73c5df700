// SPDX-License-Identifier: Apache-2.0
// How strongly a JPEG file was compressed, judged by its tables.
#pragma once

#include "formats/jpeg_segments.h"

#include <optional>
#include <string>
#include <vector>

namespace clconv::oiio {

struct JpegEncoding {
    /// 1 .. 100: libjpeg's quality with the tables nearest to the file's. Exact for files that libjpeg wrote.
    int quality = 0;
    bool has_standard_tables = true;  ///< they are those of the quality
    bool is_progressive = false;
    bool is_rgb = false;  ///< samples are red, green and blue, and not luma and chroma
    /// How chroma is subsampled, by the library's names: "4:2:0". If the library has no name for it, "4:4:4", which
    /// loses nothing. Empty for files without chroma.
    std::string subsampling = {};
};

/// None if no table or no frame is among `segments`, or if they are damaged.
[[nodiscard]] std::optional<JpegEncoding> jpeg_encoding(const std::vector<JpegSegment>& segments);

}  // namespace clconv::oiio
