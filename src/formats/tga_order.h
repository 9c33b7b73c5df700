// SPDX-License-Identifier: Apache-2.0
// Which row of a TGA file is the first: the upper one, or the lowest.
#pragma once

#include <filesystem>

namespace clconv::oiio {

/// The attribute of an output's header, 1 or 0, that asks for the lowest row, or the upper one. clconv's own.
inline constexpr const char* kTgaBottomUp = "targa:bottom_up";

/// Truevision TGA 2.0, field 5.6: bit 5 of the image descriptor.
[[nodiscard]] bool is_tga_bottom_up(const std::filesystem::path& path);

/// Exchanges the two in the head of the complete TGA at `path`, whose rows stay. False if it could not be written.
[[nodiscard]] bool turn_tga_order(const std::filesystem::path& path);

}  // namespace clconv::oiio
