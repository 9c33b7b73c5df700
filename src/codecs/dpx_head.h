// SPDX-License-Identifier: Apache-2.0
// DPX files whose pixels begin where others have the heads of motion pictures and television. Private to src/codecs.
#pragma once

#include "codecs/file_header.h"

#include <filesystem>

namespace clconv::oiio {

/// Removes what the library took from pixels for these heads: key and time code, frame rate, gamma and others. They are
/// optional (SMPTE 268M), ffmpeg writes none, and the library reads them all the same.
void drop_missing_heads(const std::filesystem::path& path, FileHeader& header);

}  // namespace clconv::oiio
