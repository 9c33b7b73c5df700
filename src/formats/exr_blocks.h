// SPDX-License-Identifier: Apache-2.0
// Checks, without a library, that the blocks of an OpenEXR file are where its tables say.
//
// After "OpenEXR File Layout" (Academy Software Foundation, 2024).
#pragma once

#include <filesystem>

namespace clconv::oiio {

/// Whether the header is valid and every block of the full-size images is in its place and not empty. OpenEXR's older
/// reader takes an empty block for a decoded one, and returns memory that was never written.
[[nodiscard]] bool has_sound_blocks(const std::filesystem::path& path);

}  // namespace clconv::oiio
