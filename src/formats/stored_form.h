// SPDX-License-Identifier: Apache-2.0
// How a file stores its image, as its own first bytes say: without decoding, and without an image library.
//
// Input and output are read by the same functions, so that what a library made of a request does not count, but what
// the file says. A format without a function here has an empty form.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clconv::oiio {

enum class Numbers { unsigned_integers, signed_integers, floats };

/// There is alpha, or something in its place, and the file does not say whether colours are multiplied by it.
inline constexpr const char* kUnspecifiedAlpha = "unspecified";

struct StoredForm {
    std::string format = {};  ///< as file_formats.h names it; empty: nothing is known
    Numbers numbers = Numbers::unsigned_integers;
    int bits = 0;                   ///< of the widest sample; of a palette: of its colours; 0: unknown
    std::uint64_t largest = 0;      ///< the largest code, where the file states one; 0: that of all bits
    bool shares_exponents = false;  ///< three floats of 8 bits each have one exponent (Radiance)
    std::string colours = {};       ///< "gray", "white is zero", "RGB", "palette", "Lab", "inks"; empty: unknown
    std::string alpha = {};         ///< "straight", "associated" or kUnspecifiedAlpha; empty: none, or unknown
    std::string codec = {};         ///< where some of the format's codecs are lossy: its name
    bool is_lossy = false;          ///< the codec changes samples
    double chroma = 1;              ///< samples of chroma for each of luminance
    std::string order = {};         ///< of rows and columns, where the file states it in other ways than Exif
    int orientation = 1;            ///< Exif's
    std::string curve = {};         ///< of codes, where the file states it and no profile: "sRGB", "gamma 1.8"; "light"
    std::string window = {};        ///< where the pixels lie, if that is not the whole frame from 0, 0 on
    bool has_frame = false;         ///< the frame around the pixels has a size of its own, which the file states
    double aspect = 1;              ///< a pixel's width for its height
    bool states_aspect = false;     ///< the format itself, in which case that of Exif does not count
    int images = 1;                 ///< where clconv takes one of several: ICO, HEIF, one file behind another
    bool has_profile = false;       ///< of ICC
    std::set<std::string> tags =
        {};  ///< names of other metadata, as the format has them; in all of them: Exif, XMP, ...
    std::set<std::string> exif_tags = {};  ///< texts and the like inside its Exif block; they are in `tags`, too
};

/// `format`: the file's, as file_formats.h names it. `parts`: of TIFF and OpenEXR; all of another file are alike.
/// Damaged files give what could be read.
[[nodiscard]] std::vector<StoredForm> stored_forms(const std::filesystem::path& path, std::string_view format,
                                                   std::span<const int> parts);

/// What every format calls the resolution, if a file states one other than 72 dots an inch, which programs write that
/// know none.
inline constexpr const char* kResolution = "resolution";
/// ITU-T T.84's block of IPTC, which several formats hold.
inline constexpr const char* kIptc = "IPTC";

/// "8-bit integers", "16-bit floats".
[[nodiscard]] std::string samples_in_words(const StoredForm& form);

}  // namespace clconv::oiio
