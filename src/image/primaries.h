// The chromaticities of a file's red, green and blue. Private to src/image.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

namespace clconv {

struct FileFormat;
class Metadata;

/// CIE 1931 x and y of red, green, blue and white, in the order of OpenEXR's attribute.
using Chromaticities = std::array<float, 8>;

namespace oiio {

/// The chromaticities that the file states: by PNG's cICP, an ICC profile, PNG's cHRM, or Exif's AdobeRGB; the first of
/// these counts. None if it states none, if it states Rec. 709, which readers of linear files assume anyway, or if its
/// format holds linear light.
[[nodiscard]] std::optional<Chromaticities> primaries_of(const Metadata& metadata);

/// A note to the user, if an input with `metadata` states chromaticities other than those of Rec. 709, and an output of
/// `format` will not; else empty.
[[nodiscard]] std::string lost_primaries(const Metadata& metadata, const FileFormat& format);

}  // namespace oiio
}  // namespace clconv
