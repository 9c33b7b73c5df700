// SPDX-License-Identifier: Apache-2.0
// Bloom, mixing and masks: which part of an image is convolved, and how the result is combined with the image. These
// are the numbers of one run.
//
// The kernels' side: taken_sample() of kernels/image.cl where samples are loaded, blended() of blend.cl where results
// are stored. So no pass is added. Per channel c, in linear light if the convolution is:
//
//     result = image - mask leave bright(image) + mask gain[c] room (bright(image) boosted, convolved) + offset
//
// room is 1 - image, clamped to [0, 1], with Blend::screen, else 1. bright() is the image itself without highlights.
#pragma once

#include "base/channels.h"
#include "base/extent.h"
#include "base/image_view.h"
#include "conv/blend.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "../../kernels/blend.cl"

namespace clconv {

/// The bright part of a pixel whose brightest channel is `peak`: the share q(peak) / peak with q(v) = max(v -
/// threshold, s^2 / (4 knee)), s = clamp(v - threshold + knee, 0, 2 knee), v = min(peak, most).
struct Highlights {
    double threshold = 0;
    double knee = 0;     ///< half the width of the parabola around the threshold
    double maximum = 0;  ///< brighter light counts as this much (fireflies); 0: no limit
    double boost = 0;    ///< gain of clipped highlights: (1 + boost) at 1, falling to none at 0.8
    /// In an image of several layers, the place of each channel: the brightest channel of a pixel is then the brightest
    /// colour of a layer. Empty: it is the brightest of the first three channels.
    std::vector<LayerChannel> layers = {};
};

/// The channels that `channel` is compared with; the brightest of their samples is its peak. `channel` is one of them,
/// and fills unused places.
[[nodiscard]] std::array<int, 4> compared_channels(const Highlights& highlights, const Channels& channels, int channel);

/// q(peak) / peak.
[[nodiscard]] double share_of_bright(const Highlights& highlights, double peak);

/// The likely light of a clipped highlight, over the stored light.
[[nodiscard]] double boost_of(const Highlights& highlights, double peak);

/// Replaces a pixel by its bright part, as taken_sample() of kernels/image.cl does. `alpha_channel` (-1: none) stays.
void make_bright(std::span<double> pixel, const Highlights& highlights, int alpha_channel);

/// One number a pixel, 0 .. 1 in general.
struct Mask {
    Extent extent;
    std::vector<float> values;  ///< [y][x]
};

/// A part of a mask, `size` from `first` on.
[[nodiscard]] std::vector<double> part_of(const Mask& mask, Position first, Extent size);

struct Blending {
    Blend blend = Blend::none;
    std::vector<double> gain = {1};  ///< one, or those of R, G and B; other channels, and gray, use their mean
    double leave = 0;
    double offset = 0;  ///< added to every colour, with and without a blend
    std::optional<Highlights> highlights = {};
    std::shared_ptr<const Mask> mask = {};
    bool keeps_alpha = false;   ///< alpha stays as it is, also that of layers
    bool boosts_floats = true;  ///< whether highlights of images that were never clipped are boosted too

    /// `alpha_channel`: the image's, or -1.
    [[nodiscard]] BlendShape shape(int alpha_channel = -1) const
    {
        return {.blend = blend,
                .masked = mask != nullptr,
                .highlights = highlights.has_value(),
                .leaves = highlights && leave != 0,
                .layers = highlights && !highlights->layers.empty(),
                .boosts = highlights && highlights->boost != 0,
                .early_alpha = highlights && alpha_channel >= 0 && alpha_channel < 3};
    }
};

/// `blending` for an image, which may have been clipped, and may have layers.
[[nodiscard]] Blending blending_for(const Blending& blending, const ImageView& image);

/// The numbers of one channel.
struct ChannelBlend {
    double gain = 1;
    double leave = 0;
    double offset = 0;
};
[[nodiscard]] ChannelBlend blend_of(const Blending& blending, const Channels& channels, int channel);

/// The same in the order of kernels/blend.cl.
[[nodiscard]] std::array<double, BLEND_NUMBERS> blend_scalars(const ChannelBlend& blend);

/// The image's sample that a result is blended with.
struct BlendedSample {
    double value = 0;
    double bright = 0;  ///< its bright part; all of it without highlights
    double mask = 1;    ///< 1 if there is none
};

/// The stored result. This is the host's only copy of the formula. `convolved`: the result before that.
[[nodiscard]] double blended(Blend blend, const ChannelBlend& numbers, const BlendedSample& sample, double convolved);

/// What a result is blended with, as a pixel.
struct BlendedPixel {
    std::span<const double> samples;  ///< of the image, one a channel
    int alpha_channel = -1;           ///< -1: none
    double mask = 1;                  ///< 1 if there is none
};

/// The stored result. `value`: the convolved sample of `channel`.
[[nodiscard]] double blended(const Blending& blending, const BlendedPixel& pixel, int channel, double value);

/// The numbers for highlights in the order of kernels/levels.cl, without the tables.
[[nodiscard]] std::vector<double> highlight_scalars(const Highlights& highlights, const Channels& channels);

}  // namespace clconv
