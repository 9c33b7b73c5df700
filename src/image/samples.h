// SPDX-License-Identifier: Apache-2.0
// Interleaved samples in host memory: changing their type, and multiplying and dividing them by alpha.
//
// Work on every pixel of every image happens on the device. This is only for images that the device does not see as
// they are (files with straight alpha, formats that hold other channels).
#pragma once

#include "base/bytes.h"
#include "base/file_type.h"
#include "base/image_view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace clconv {

/// The samples of `view` as floats; integers become [0, 1].
[[nodiscard]] Bytes to_float(const ImageView& view);

/// `samples` in `type`: integers are rounded to nearest and clamped to their range (NaN becomes
/// 0), half is rounded to nearest even.
[[nodiscard]] Bytes from_float(std::span<const float> samples, FileType type);
[[nodiscard]] inline Bytes from_float(std::span<const float> samples, SampleType type)
{
    return from_float(samples, file_type_of(type));
}

/// The position of a block of samples in its image, on which the noise depends.
struct DitherPlace {
    std::uint64_t seed = 0;   ///< of the image
    std::uint64_t first = 0;  ///< samples of the image before the block's first
    int channels = 1;
    int alpha = -1;  ///< the channel that gets no noise; -1: none
};

/// The same for integers, rounded up or down at random: floor(x + u), with u uniform in [0, 1). So areas keep their
/// mean, and whole numbers stay. `type` is an integer.
[[nodiscard]] Bytes dithered(std::span<const float> samples, FileType type, const DitherPlace& place);

/// Pixels of `channels` samples, in which channel `alpha` multiplies the channels in `colours`.
struct AlphaLayout {
    int channels = 0;
    int alpha = -1;
    std::vector<int> colours;
};

/// What the channel in alpha's place is, in formats whose files do not always say so.
enum class AlphaUse {
    alpha,
    unless_zero,  ///< alpha, unless it is 0 everywhere
    unused,
};

/// Makes all pixels opaque if their alpha is none.
void settle_alpha(std::span<float> samples, const AlphaLayout& layout, AlphaUse use);

/// Multiplies each pixel's colours by its alpha.
void associate(std::span<float> samples, const AlphaLayout& layout);

/// Divides each pixel's colours by its alpha, if alpha is not 0.
void unassociate(std::span<float> samples, const AlphaLayout& layout);

/// The image whose channel c is number `sources[c]` of `view`.
[[nodiscard]] Bytes select_channels(const ImageView& view, std::span<const int> sources);

}  // namespace clconv
