// SPDX-License-Identifier: Apache-2.0
// Checks, without a library, that the blocks of an OpenEXR file are where its tables say, and hold all of their
// samples.
//
// After "OpenEXR File Layout" (Academy Software Foundation, 2024).
#pragma once

#include <cstdint>
#include <filesystem>

namespace clconv::oiio {

enum class ExrReader { older, newer, none };

/// Which of OpenEXR's readers returns no memory that was never written. The older one accepts empty blocks, and blocks
/// without compression, with RLE or zip that are too short. The newer one accepts short blocks without compression, is
/// three times as slow for the other compressions, and does not know DWA. None: a block without compression is short.
[[nodiscard]] ExrReader safe_exr_reader(const std::filesystem::path& path);

/// Behind the last block of the file, by its tables; 0 if they are damaged.
[[nodiscard]] std::uint64_t exr_end(const std::filesystem::path& path);

}  // namespace clconv::oiio
