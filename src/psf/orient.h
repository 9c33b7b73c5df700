// SPDX-License-Identifier: Apache-2.0
// PSFs for images whose pixels are stored rotated or mirrored.
#pragma once

#include "base/names.h"
#include "psf/psf.h"

namespace clconv {

/// Whether PSFs apply to images as displayed, or to their stored pixels.
enum class PsfGiven { viewed, stored };
template <>
inline constexpr auto kNames<PsfGiven> = std::to_array<Named<PsfGiven>>({{"viewed", PsfGiven::viewed},
                                                                         {"stored", PsfGiven::stored}});

/// Exif's orientation (1 to 8) of an image that is stored as it is displayed.
inline constexpr int kUpright = 1;

/// Whether images of this orientation are stored with width and height exchanged.
[[nodiscard]] constexpr bool is_rotated_sideways(int orientation) { return orientation >= 5; }

/// Converts `psf`, which applies to the displayed image, to the stored pixels of `orientation` (1 to 8). Its samples
/// and its origin move like the pixels of such an image.
[[nodiscard]] Psf oriented(const Psf& psf, int orientation);

/// Whether both have the same samples and origin.
[[nodiscard]] bool same_samples(const Psf& a, const Psf& b);

}  // namespace clconv
