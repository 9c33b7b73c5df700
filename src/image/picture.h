// SPDX-License-Identifier: Apache-2.0
// Small pictures of images, for people to look at: made smaller by means of boxes, in 8 bits, as a screen shows them.
//
// They are for pages. No result is computed from them.
#pragma once

#include "base/extent.h"
#include "image/image.h"

#include <cstdint>
#include <vector>

namespace clconv {

/// A rectangle of an image, within it.
struct PictureArea {
    Position place;
    Extent extent;
};

/// Red, green, blue and alpha of each pixel, row by row. Colours are associated. Integers are in [0, 1].
struct ReducedImage {
    Extent extent;
    std::vector<float> samples;
};

/// `area` of an image that has samples, with `longest` pixels on its longer side, or as it is if that is shorter.
/// Pixels are means; samples that are not finite do not count. An image of one or two channels is gray.
[[nodiscard]] ReducedImage reduced(const Image& image, const PictureArea& area, int longest);

/// The largest difference of a channel at each place, and in each box of the smaller picture, as gray. Both images have
/// the same extent and channels.
[[nodiscard]] ReducedImage reduced_difference(const Image& a, const Image& b, int longest);

/// The square of `side` pixels, or as much of it as the image has, whose neighbouring pixels differ most. `whole` is
/// the image of this extent, made smaller.
[[nodiscard]] PictureArea busiest_area(const ReducedImage& whole, const Extent& extent, int side);

/// How values become shades: `from` is black, `to` is white.
struct Tone {
    double from = 0;
    double to = 1;
    bool is_light = false;  ///< values are linear light, not codes
};

/// From 0 to 1 for an image that nearly keeps within this range and uses a sixteenth of it. Otherwise from the
/// smallest to the largest value, without the extreme half percent on each side.
[[nodiscard]] Tone tone_of(const ReducedImage& image, bool is_light);

/// Three bytes a pixel.
struct Picture {
    Extent extent;
    std::vector<std::uint8_t> rgb;
};

/// `orientation`: Exif's; the picture is rotated and mirrored as viewers do it. Where alpha is not 1, a chequered
/// ground shows.
[[nodiscard]] Picture shown(const ReducedImage& image, const Tone& tone, int orientation);

}  // namespace clconv
