// Which colours a file's red, green and blue are. Private to src/image.
#pragma once

#include <array>
#include <filesystem>
#include <optional>

namespace clconv {

class Metadata;

/// CIE 1931 x and y of red, green, blue and white, in the order of OpenEXR's attribute.
using Chromaticities = std::array<float, 8>;

namespace oiio {

/// What the file says of them: PNG's cICP, an ICC profile, PNG's cHRM, Exif's AdobeRGB, in this order. None where it
/// says nothing, where it says Rec. 709, which every reader of light takes for granted, and of formats of light.
[[nodiscard]] std::optional<Chromaticities> primaries_of(const Metadata& metadata);

}  // namespace oiio
}  // namespace clconv
