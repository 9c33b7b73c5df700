// SPDX-License-Identifier: Apache-2.0
// The head of a Radiance picture (.hdr): its lines of text, and the order of its pixels. OpenImageIO writes neither.
//
// After the Radiance File Formats (Ward, 1997), "Picture File Format".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv::oiio {

struct HdrHead {
    std::string magic;               ///< the first line: "#?RADIANCE"
    std::vector<std::string> lines;  ///< all others in front of the size, except FORMAT
    std::string size;                ///< "-Y 24 +X 32"

    /// The product of the numbers of all lines of this name: EXPOSURE, PIXASPECT. 1 if there are none.
    [[nodiscard]] double product_of(std::string_view name) const;
    /// The numbers of the last line of this name: PRIMARIES. Empty if there is none.
    [[nodiscard]] std::vector<double> numbers_of(std::string_view name) const;
};

/// None if it is not such a file, or if its head is damaged.
[[nodiscard]] std::optional<HdrHead> hdr_head(const std::filesystem::path& path);

/// Exif's orientation of pixels in the order that a head's size tells; 1 if it tells none. OpenImageIO (2.4) exchanges
/// 6 and 8.
[[nodiscard]] int orientation_of(const HdrHead& head);

/// Puts the lines of `head` into the complete file at `file`, and says that its pixels have this orientation.
/// `only_meaning`: only lines that say what samples mean (EXPOSURE, COLORCORR, PRIMARIES, PIXASPECT, GAMMA). Throws
/// InputError.
void put_hdr_head(const std::filesystem::path& file, const HdrHead& head, int orientation, bool only_meaning);

}  // namespace clconv::oiio
