// SPDX-License-Identifier: Apache-2.0
// The extension area of a TGA file: its texts and gamma. Private to src/codecs.
#pragma once

#include "codecs/decoding.h"
#include "image/samples.h"

#include <filesystem>

namespace clconv::oiio {

/// Whether it is where the file's last 26 bytes say: 495 bytes, which begin with that number. (Truevision TGA File
/// Format Specification 2.0, 1991.) The library reads whatever is there, and memory behind it.
[[nodiscard]] bool has_sound_extension(const std::filesystem::path& path);

/// What the fourth channel of a TGA file is, by its extension area; without one, alpha unless it is 0 everywhere.
[[nodiscard]] AlphaUse tga_alpha_use(const std::filesystem::path& path);

/// Removes what the library took from it.
void drop_extension(FileHeader& header);

}  // namespace clconv::oiio
