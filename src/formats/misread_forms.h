// SPDX-License-Identifier: Apache-2.0
// Files that OpenImageIO 2.4 misreads: what it gives has other colours, or bytes of its memory. All are sound, but for
// a TGA with a pixel whose colour is not in the palette.
//
// After GIF89a (CompuServe, 1990), Microsoft's BITMAPV4HEADER and icon resources, "Truevision TGA File Format
// Specification 2.0", "Adobe Photoshop File Formats Specification", and SMPTE 268M (DPX).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace clconv::oiio {

/// Why the file must not be decoded, as words that follow its name: it has a form of `format`, the library's name of
/// its format, that the library misreads. Empty if there is no such reason.
[[nodiscard]] std::string misread_form(const std::filesystem::path& path, std::string_view format);

/// The samples of a TIFF that the library does not read, as words that follow its name. Empty if it is no TIFF.
[[nodiscard]] std::string unread_samples(const std::filesystem::path& path);

}  // namespace clconv::oiio
