// SPDX-License-Identifier: Apache-2.0
// How a file stores its image, as its own first bytes say: without decoding, and without an image library.
//
// Input and output are read by the same functions, so that what a library made of a request does not count, but what
// the file says. A format without a function here has an empty form.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace clconv::oiio {

enum class Numbers { unsigned_integers, signed_integers, floats };

/// There is alpha, or something in its place, and the file does not say whether colours are multiplied by it.
inline constexpr const char* kUnspecifiedAlpha = "unspecified";

struct StoredForm {
    std::string format = {};  ///< as file_formats.h names it; empty: nothing is known
    Numbers numbers = Numbers::unsigned_integers;
    int bits = 0;                     ///< of the widest sample; of a palette: of its colours; 0: unknown
    std::uint64_t largest = 0;        ///< the largest code, where the file states one; 0: that of all bits
    bool shares_exponents = false;    ///< three floats of 8 bits each have one exponent (Radiance)
    std::string colours = {};         ///< "gray", "white is zero", "RGB", "palette", "Lab", "inks"; empty: unknown
    std::string alpha = {};           ///< "straight", "associated" or kUnspecifiedAlpha; empty: none, or unknown
    std::string codec = {};           ///< where some of the format's codecs are lossy: its name
    bool is_lossy = false;            ///< the codec changes samples
    double chroma = 1;                ///< samples of chroma for each of luminance
    std::string order = {};           ///< of rows and columns, where the file states it in other ways than Exif
    int orientation = 1;              ///< Exif's
    int images = 1;                   ///< where clconv takes one of several: ICO, JPEG with Multi-Picture Format
    bool has_profile = false;         ///< of ICC
    std::set<std::string> tags = {};  ///< names of other metadata; those that several formats have: Exif, XMP
};

/// `format`: the file's, as file_formats.h names it. `part`: of TIFF and OpenEXR. Damaged files give what could be
/// read.
[[nodiscard]] StoredForm stored_form(const std::filesystem::path& path, std::string_view format, int part = 0);

/// "8-bit integers", "16-bit floats".
[[nodiscard]] std::string samples_in_words(const StoredForm& form);

}  // namespace clconv::oiio
