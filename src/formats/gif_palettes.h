// SPDX-License-Identifier: Apache-2.0
// The palettes of small GIF frames.
//
// After GIF89a (CompuServe, 1990), with its appendix F on the coding of pixels.
#pragma once

#include <filesystem>

namespace clconv::oiio {

/// The library's writer makes a palette of 256 colours for each frame. It writes one colour for each pixel, so for
/// frames of fewer than 255 pixels, the others are leftovers in memory. Gives each such frame of the file at `path` a
/// palette of its pixels' colours, in the order in which they appear, and then black. The pixels stay. Without effect
/// on larger frames, and on files that the library's writer has not made. Throws InputError with the system's reason if
/// the file cannot be changed.
void clear_unused_colours(const std::filesystem::path& path);

}  // namespace clconv::oiio
