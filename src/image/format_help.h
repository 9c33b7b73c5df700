// SPDX-License-Identifier: Apache-2.0
// What help and messages say about file formats, made from the table of formats.
#pragma once

#include "image/format_table.h"

#include <string>

namespace clconv {

/// The writable formats that have a property: "FITS, JPEG, OpenEXR, PNG and TIFF".
[[nodiscard]] std::string formats_with(bool FileFormat::*property);

/// The formats that hold a type: "u16: DPX, ...; half: OpenEXR, ...".
[[nodiscard]] std::string types_text();

/// What formats cannot hold: "no alpha: JPEG, PNM and Radiance; ...".
[[nodiscard]] std::string limits_text();

/// The formats with a quality, and its default: "JPEG 95, WebP 100".
[[nodiscard]] std::string qualities_text();

/// The codecs of a format: "none, packbits, lzw, zip[:1-9]".
[[nodiscard]] std::string codecs_text(const FileFormat& format);

/// The codecs of all formats that leave a choice: "IFF none, rle; OpenEXR none, ...".
[[nodiscard]] std::string codecs_text();

}  // namespace clconv
