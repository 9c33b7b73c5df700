// SPDX-License-Identifier: Apache-2.0
// Whether the pixels of an image file are numbers of colours in a table, which image libraries do not report.
#pragma once

#include <filesystem>
#include <string_view>

namespace clconv::oiio {

/// The bits of a pixel of the file at `path`, in one of the formats "bmp", "targa" and "ico" (of its first image); 0 if
/// it has no palette, or if its head is damaged.
[[nodiscard]] int palette_bits(const std::filesystem::path& path, std::string_view format);

}  // namespace clconv::oiio
