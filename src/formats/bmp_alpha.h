// SPDX-License-Identifier: Apache-2.0
// Whether a BMP of 32 bits says that the fourth byte of a pixel is alpha. Only headers from Microsoft's BITMAPV4HEADER
// on can (by a mask of its bits), and many readers ignore the byte without.
#pragma once

#include <filesystem>

namespace clconv::oiio {

/// The attribute of an output's header that asks for the mask. clconv's own.
inline constexpr const char* kBmpAlphaMask = "bmp:alpha_mask";

[[nodiscard]] bool has_bmp_alpha_mask(const std::filesystem::path& path);

/// Gives the complete BMP of 32 bits at `path`, with a BITMAPINFOHEADER, a BITMAPV4HEADER with masks of blue, green,
/// red and alpha in this order. Throws InputError with the system's reason.
void add_bmp_alpha_mask(const std::filesystem::path& path);

}  // namespace clconv::oiio
