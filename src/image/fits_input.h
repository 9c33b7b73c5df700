// FITS files as the rest of this folder sees image files: one more decoder beside OpenImageIO's own, whose FITS (2.4)
// is one row off and knows no unsigned integers. Private to src/image.
//
// The planes of a cube are parts. Rows go from the top down as the image is viewed, which in FITS is the last row
// first.
#pragma once

#include "image/decode_rules.h"
#include "image/openimageio.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace clconv::fits {

/// What the headers of FITS images carry to FITS files, beside what every image has. No other format gets these.
inline constexpr const char* kAttributes = "fits:.*";  ///< the pattern of all of them
inline constexpr const char* kCards = "fits:cards";    ///< the header's cards, as bytes
inline constexpr const char* kAxes = "fits:axes";      ///< NAXIS3, ... of a cube
inline constexpr const char* kPlane = "fits:plane";    ///< which one of a cube's this is
inline constexpr const char* kFile = "fits:file";      ///< the input, as bytes, whose other HDUs are kept
inline constexpr const char* kSpan = "fits:span";      ///< where in it the image's HDU begins and ends, and its length
inline constexpr const char* kHistory = "fits:history";  ///< what is to be said of how the new image was made

/// Throws InputError: no FITS file with an image, damaged, or larger than `rules` allow.
[[nodiscard]] std::unique_ptr<OIIO::ImageInput> open_input(const std::filesystem::path& path, const DecodeRules& rules);

/// What the user should know of how a FITS image is read. Nothing for other images.
[[nodiscard]] std::vector<std::string> warnings_of(const std::filesystem::path& path, const OIIO::ImageSpec& header);

/// Bytes in an attribute: OpenImageIO never forgets a text that it was given as one.
void set_bytes(OIIO::ImageSpec& header, const char* name, const std::string& bytes);
[[nodiscard]] std::string get_bytes(const OIIO::ImageSpec& header, const char* name);

}  // namespace clconv::fits
