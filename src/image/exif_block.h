// The Exif block of a file, which is a small TIFF, and the corrections to it, in place. Private to src/image.
#pragma once

#include "base/extent.h"

#include <optional>
#include <string>

namespace clconv::oiio {

/// `block`: from the byte order on. The thumbnail is removed: it shows the picture before the convolution, whose
/// purpose may be to hide something. With a `size`, the block's width and height are replaced. Everything else stays in
/// place, byte for byte, because maker notes point into the block. A damaged block is unchanged from the damage on.
/// `is_srgb_now`: the block says that the codes are sRGB's, if it said something of them.
[[nodiscard]] std::string corrected_exif(std::string block, std::optional<Extent> size, bool is_srgb_now = false);

/// How viewers are to turn or mirror the pixels; 0 where the block does not say it.
[[nodiscard]] int exif_orientation(std::string block);

/// Whether the block says what cameras say of AdobeRGB, where they embed no profile: the colour space is not
/// calibrated, and the index of interoperability is R03 (DCF 2.0, 2010, "DCF optional file").
[[nodiscard]] bool says_adobe_rgb(std::string block);

}  // namespace clconv::oiio
