// SPDX-License-Identifier: Apache-2.0
// Exif's orientation: how viewers rotate and mirror the pixels that a file stores (Exif 2.3, tag 274).
#pragma once

#include "base/extent.h"

namespace clconv {

/// Of an image that is stored as it is displayed. Other numbers than 1 to 8 mean the same.
inline constexpr int kUpright = 1;

/// Whether images of this orientation are stored with width and height exchanged.
[[nodiscard]] constexpr bool is_rotated_sideways(int orientation) { return orientation >= 5 && orientation <= 8; }

/// The stored position of one in the displayed image, which is `viewed_extent`. The tag says which edges of the picture
/// row 0 and column 0 are.
[[nodiscard]] constexpr Position stored_place(Position viewed, Extent viewed_extent, int orientation)
{
    const int right = viewed_extent.width - 1 - viewed.x;
    const int below = viewed_extent.height - 1 - viewed.y;
    switch (orientation) {
        case 2: return {right, viewed.y};
        case 3: return {right, below};
        case 4: return {viewed.x, below};
        case 5: return {viewed.y, viewed.x};
        case 6: return {viewed.y, right};
        case 7: return {below, right};
        case 8: return {below, viewed.x};
        default: return viewed;
    }
}

}  // namespace clconv
