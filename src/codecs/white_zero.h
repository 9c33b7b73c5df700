// SPDX-License-Identifier: Apache-2.0
// White-is-zero samples: a larger stored number is darker. They become light when they are read, and are inverted again
// when they are written. Private to src/codecs and src/encoders.
#pragma once

#include "base/file_type.h"
#include "base/image_view.h"

#include <cstddef>

namespace clconv {

struct Image;
class Metadata;

namespace oiio {

/// Whether a file holds white-is-zero samples, and whether they are inverted when they are read. Integers of 32 bits
/// and doubles stand for their own values, of which none is white, and stay as they are stored.
[[nodiscard]] bool is_white_zero(const Metadata& metadata);
[[nodiscard]] bool is_inverted(const Metadata& metadata);

/// The place of gray and of alpha in pixels.
struct GrayLayout {
    int channels = 1;
    int gray = 0;    ///< -1: there is none, and nothing is inverted
    int alpha = -1;  ///< of colours that are multiplied by it; else -1
};

/// The layout of the samples of an image, as they are stored in its file.
[[nodiscard]] GrayLayout gray_layout(const Image& image);

/// Inverts the gray of some pixels in place: x becomes 1 - x, in integers the largest code - x, and where gray is
/// multiplied by alpha, alpha - x. `type`: an integer or float, since halves would lose the detail of what was dark.
void invert_gray(std::byte* samples, SampleType type, std::size_t pixels, const GrayLayout& layout);

}  // namespace oiio
}  // namespace clconv
