// SPDX-License-Identifier: Apache-2.0
// The complete header of an image whose decoder gave only a part. Private to src/codecs and src/encoders.
#pragma once

#include "codecs/decoding.h"
#include "codecs/file_header.h"

#include <string>
#include <string_view>

namespace clconv::oiio {

/// The header with all attributes of the file, for a file of another format. If it is abridged, OpenImageIO opens the
/// input again; attributes that are known already stay. If the input is gone, these are all.
[[nodiscard]] FileHeader full_header(const Metadata& metadata);

/// The attribute that OpenImageIO makes of a PNG's text: "Description" is ImageDescription, in any case of letters.
[[nodiscard]] std::string attribute_of_keyword(std::string_view keyword);

/// Makes UTF-8 of the texts of a PNG and their keywords. The decoders give the bytes of the file, which are Latin-1 in
/// its older chunks (tEXt and zTXt). What is UTF-8 already stays: programs write it there, too, against the format.
void read_texts_as_utf8(FileHeader& header);

}  // namespace clconv::oiio
