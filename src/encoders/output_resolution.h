// SPDX-License-Identifier: Apache-2.0
// The resolution of an output file of another format than its input's. Private to src/encoders.
#pragma once

#include "codecs/decoding.h"
#include "codecs/file_formats.h"

namespace clconv::oiio {

/// Says the resolution that `header` has from an input with `metadata`, and the aspect of the pixels that follows from
/// it, as the library's writer of `format` understands them.
void set_resolution(FileHeader& header, const Metadata& metadata, const FileFormat& format);

}  // namespace clconv::oiio
