// SPDX-License-Identifier: Apache-2.0
// The complete header of an image whose decoder gave only a part. Private to src/codecs and src/encoders.
#pragma once

#include "codecs/decoding.h"
#include "codecs/file_header.h"

namespace clconv::oiio {

/// The header with all attributes of the file, for a file of another format. If it is abridged, OpenImageIO opens the
/// input again; attributes that are known already stay. If the input is gone, these are all.
[[nodiscard]] FileHeader full_header(const Metadata& metadata);

}  // namespace clconv::oiio
