// The blocks of an OpenEXR file, without a library: whether each lies where the file's tables say. Private to
// src/image.
//
// After "OpenEXR File Layout" (Academy Software Foundation, 2024).
#pragma once

#include <filesystem>

namespace clconv::oiio {

/// Whether the head is made as it should be and every block of the largest images is there, at its place and not empty.
/// OpenEXR's older reader takes an empty block for one that it has decoded, and gives what its memory holds.
[[nodiscard]] bool has_sound_blocks(const std::filesystem::path& path);

}  // namespace clconv::oiio
