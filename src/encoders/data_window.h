// SPDX-License-Identifier: Apache-2.0
// Whether the data of a file fills its frame: the data window and the display window of OpenEXR, position and full size
// of TIFF.
#pragma once

#include "image/image.h"

#include <string>

namespace clconv {

/// "its data window (40x30 at 10,5) does not fill its frame (100x80)" of the input of this image; empty if it does, or
/// if it is not known.
[[nodiscard]] std::string gap_in_frame(const Image& image);

}  // namespace clconv
