// The chromaticities of a file's red, green and blue. Private to src/image.
#pragma once

#include <array>
#include <filesystem>
#include <optional>

namespace clconv {

class Metadata;

/// CIE 1931 x and y of red, green, blue and white, in the order of OpenEXR's attribute.
using Chromaticities = std::array<float, 8>;

namespace oiio {

/// The chromaticities that the file states: by PNG's cICP, an ICC profile, PNG's cHRM, or Exif's AdobeRGB; the first of
/// these counts. None if it states none, if it states Rec. 709, which readers of linear files assume anyway, or if its
/// format holds linear light.
[[nodiscard]] std::optional<Chromaticities> primaries_of(const Metadata& metadata);

}  // namespace oiio
}  // namespace clconv
