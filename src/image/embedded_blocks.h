// What a file says of its picture in blocks that several formats have in the same form. Private to src/image.
#pragma once

#include "base/extent.h"
#include "image/exif_block.h"
#include "image/xmp_packet.h"

#include <optional>
#include <string>

namespace clconv::oiio {

/// Empty where the file has none.
struct EmbeddedBlocks {
    std::string exif = {};  ///< from the byte order on
    std::string xmp = {};

    [[nodiscard]] bool is_empty() const { return exif.empty() && xmp.empty(); }
};

/// What is no longer true of a file's metadata.
struct MetadataChange {
    std::optional<Extent> size = {};  ///< of the result, if it is another one
    bool is_srgb_now = false;         ///< its codes are sRGB's, and were not

    [[nodiscard]] std::string exif(const std::string& block) const { return corrected_exif(block, size, is_srgb_now); }
    [[nodiscard]] std::string xmp(const std::string& packet) const
    {
        return size ? xmp_of_size(packet, *size) : packet;
    }
};

}  // namespace clconv::oiio
