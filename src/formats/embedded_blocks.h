// SPDX-License-Identifier: Apache-2.0
// Metadata in blocks that are the same in several formats: Exif, XMP and Photoshop's resources.
#pragma once

#include "base/extent.h"
#include "formats/exif_block.h"
#include "formats/xmp_packet.h"

#include <optional>
#include <string>
#include <utility>

namespace clconv::oiio {

/// A block that a file does not have is empty.
struct EmbeddedBlocks {
    std::string exif = {};  ///< beginning with the byte order ("II" or "MM")
    std::string xmp = {};
    std::string photoshop = {};  ///< its resources, with IPTC; of JPEG

    [[nodiscard]] bool is_empty() const { return exif.empty() && xmp.empty(); }
};

/// What must be corrected in the metadata that is copied from an input.
struct MetadataChange {
    std::optional<Extent> size = {};         ///< of the result, if it is not the input's
    bool is_srgb_now = false;                ///< whether the result is sRGB although the input was not
    std::optional<std::string> nodata = {};  ///< the text of GDAL's tag, if it is not the input's

    [[nodiscard]] std::string exif(const std::string& block) const { return corrected_exif(block, size, is_srgb_now); }
    [[nodiscard]] std::string xmp(const std::string& packet) const
    {
        std::string current = without_xmp_thumbnails(packet);
        return size ? xmp_of_size(std::move(current), *size) : current;
    }
};

}  // namespace clconv::oiio
