// SPDX-License-Identifier: Apache-2.0
// A decoder of FITS files. OpenImageIO's own (2.4) is one row off and does not know unsigned integers. Private to
// src/codecs and src/encoders.
//
// The planes of a cube are parts. Rows go from the top down as displayed, so the last row in the file comes first.
#pragma once

#include "codecs/decoding.h"
#include "image/decode_rules.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace clconv::fits {

/// Attributes that headers of FITS images carry to FITS files. No other format gets them.
inline constexpr const char* kAttributes = "fits:";  ///< what all of them begin with
inline constexpr const char* kCards = "fits:cards";  ///< the header's cards, as bytes
inline constexpr const char* kAxes = "fits:axes";    ///< NAXIS3, ... of a cube
inline constexpr const char* kPlane = "fits:plane";  ///< the number of this plane in the cube
inline constexpr const char* kFile = "fits:file";    ///< the input's path, as bytes; its other HDUs are kept
inline constexpr const char* kSpan = "fits:span";    ///< begin and end of the image's HDU, and the length of the file
inline constexpr const char* kHistory = "fits:history";  ///< how the new image was made

/// Throws InputError if it is not a FITS file with an image, damaged, or larger than `rules` allow.
/// `hdu`: see fits::File.
[[nodiscard]] std::unique_ptr<oiio::Decoder> open_input(const std::filesystem::path& path, const DecodeRules& rules,
                                                        int hdu = 0);

/// Warnings about how a FITS image is read. None for other images.
[[nodiscard]] std::vector<Warning> warnings_of(const std::filesystem::path& path, const oiio::FileHeader& header);

/// Stores bytes in an attribute, because OpenImageIO never frees a text attribute.
void set_bytes(oiio::FileHeader& header, const char* name, const std::string& bytes);
[[nodiscard]] std::string get_bytes(const oiio::FileHeader& header, const char* name);

}  // namespace clconv::fits
