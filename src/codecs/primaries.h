// SPDX-License-Identifier: Apache-2.0
// The chromaticities of a file's red, green and blue. Private to src/codecs and src/encoders.
#pragma once

#include "base/file_type.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>

namespace clconv {

struct FileFormat;
struct Image;
struct Transfer;
class Metadata;

/// CIE 1931 x and y of red, green, blue and white, in the order of OpenEXR's attribute.
using Chromaticities = std::array<float, 8>;

namespace oiio {

/// The chromaticities that the file states: by PNG's cICP, an ICC profile, PNG's cHRM, Exif's AdobeRGB, or Radiance's
/// PRIMARIES; the first of these counts. None if it states none, if it states Rec. 709, which readers of linear files
/// assume anyway, or if it is an OpenEXR or FITS file.
[[nodiscard]] std::optional<Chromaticities> primaries_of(const Metadata& metadata);

/// An ICC profile for a file of `format` with integers of `type`, if the image's file says which its red, green and
/// blue are in a way that `format` has not, and they are not Rec. 709's. `output`: the transfer function of the file's
/// codes; null if stored codes are written. Empty if there is no need, or no such profile: of PQ and HLG, of stored
/// light, of an image that is not of three colours.
[[nodiscard]] std::string made_profile(const Image& image, const FileFormat& format, FileType type,
                                       const Transfer* output);

/// A note to the user, if an input with `metadata` states chromaticities other than those of Rec. 709, and an output of
/// `format` without a made profile will not; else empty.
[[nodiscard]] std::string lost_primaries(const Metadata& metadata, const FileFormat& format);

}  // namespace oiio
}  // namespace clconv
