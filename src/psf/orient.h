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

/// Converts `psf`, which applies to the displayed image, to the stored pixels of `orientation` (base/orientation.h).
/// Its samples and its origin move like the pixels of such an image.
[[nodiscard]] Psf oriented(const Psf& psf, int orientation);

/// Whether both have the same samples and origin.
[[nodiscard]] bool same_samples(const Psf& a, const Psf& b);

}  // namespace clconv
