// PSFs as images need them whose pixels are stored turned or mirrored.
#pragma once

#include "psf/psf.h"

namespace clconv {

/// Exif's orientation of an image that is stored as it is viewed. Others go to 8.
inline constexpr int kUpright = 1;

/// Whether images of this orientation are stored with width and height exchanged.
[[nodiscard]] constexpr bool is_turned_sideways(int orientation) { return orientation >= 5; }

/// What `psf`, given as the image is viewed, is to the pixels as they are stored under `orientation` (1 to 8): its
/// samples and its origin are moved as those of an image are that is stored so.
[[nodiscard]] Psf oriented(const Psf& psf, int orientation);

/// Whether both have the same samples and origin.
[[nodiscard]] bool same_samples(const Psf& a, const Psf& b);

}  // namespace clconv
