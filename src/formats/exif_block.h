// SPDX-License-Identifier: Apache-2.0
// The Exif block of a file, which is a small TIFF, and the corrections to it, in place.
#pragma once

#include "base/extent.h"

#include <optional>
#include <string>

namespace clconv::oiio {

/// Returns `block`, which begins with the byte order, with corrections. The thumbnail is removed: it shows the picture
/// before the convolution, whose purpose may be to hide something. With a `size`, the block's width and height are
/// replaced. Everything else stays in place, byte for byte, because maker notes point into the block. A damaged block
/// is unchanged from the damage on. `is_srgb_now`: a colour space that the block states is replaced by sRGB.
[[nodiscard]] std::string corrected_exif(std::string block, std::optional<Extent> size, bool is_srgb_now = false);

/// The block of a picture that its decoder has turned upright, and that has this size now: its orientation is 1.
/// Corrected otherwise as by corrected_exif().
[[nodiscard]] std::string upright_exif(std::string block, Extent size);

/// How viewers must rotate or mirror the pixels (Exif's Orientation); 0 if the block does not state it.
[[nodiscard]] int exif_orientation(std::string block);

/// Dots across and down, and the unit: 1 none, 2 inches, 3 centimetres.
struct ExifResolution {
    double across = 0;
    double down = 0;
    int unit = 0;
};

/// None if the block does not state dots in both directions. Exif's unit is inches unless it says another.
[[nodiscard]] std::optional<ExifResolution> exif_resolution(std::string block);

/// A block that says only this orientation, 1 to 8.
[[nodiscard]] std::string exif_of_orientation(int orientation);

/// Whether the block marks AdobeRGB in the way of cameras that embed no profile: the colour space is "uncalibrated" and
/// the interoperability index is R03 (DCF 2.0, 2010, "DCF optional file").
[[nodiscard]] bool says_adobe_rgb(std::string block);

}  // namespace clconv::oiio
