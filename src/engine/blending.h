// Bloom, mixing, masks: what is convolved of an image, and how the result meets it. Numbers of one run.
//
// The kernels' side is kernels/image.cl: taken_sample() where samples are loaded, blended() where results are stored,
// so that no pass is added. Per channel c, in linear light where the convolution is:
//
//     result = image - mask leave bright(image) + mask gain[c] room (bright(image) boosted, convolved) + offset
//
// room is 1 - image, clamped to [0, 1], with Blend::screen, else 1. bright() is the image itself without highlights.
#pragma once

#include "base/extent.h"
#include "conv/blend.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace clconv {

/// What counts as bright: of a pixel whose brightest channel is `peak`, the share q(peak) / peak with
/// q(v) = max(v - threshold, s^2 / (4 knee)), s = clamp(v - threshold + knee, 0, 2 knee), v = min(peak, most).
struct Highlights {
    double threshold = 0;
    double knee = 0;   ///< half the width of the parabola around the threshold
    double most = 0;   ///< of what counts: fireflies are cut there; 0: no limit
    double boost = 0;  ///< what clipped highlights gain: (1 + boost) at 1, falling to nothing at 0.8
};

/// q(peak) / peak.
[[nodiscard]] double share_of_bright(const Highlights& highlights, double peak);

/// What a highlight that was clipped may have been, over what was stored.
[[nodiscard]] double boost_of(const Highlights& highlights, double peak);

/// What a convolution takes of a pixel, as taken_sample() of kernels/image.cl.
void make_bright(std::span<double> pixel, const Highlights& highlights, int alpha_channel);

/// One number a pixel, 0 .. 1 as a rule.
struct Mask {
    Extent extent;
    std::vector<float> values;  ///< [y][x]
};

/// A part of a mask, `size` from `first` on.
[[nodiscard]] std::vector<double> part_of(const Mask& mask, Position first, Extent size);

struct Blending {
    Blend blend = Blend::none;
    std::vector<double> gain = {1};  ///< one, or those of R, G and B: other channels, and gray, have their mean
    double leave = 0;
    double offset = 0;  ///< added to every colour, also without a blend
    std::optional<Highlights> highlights = {};
    std::shared_ptr<const Mask> mask = {};
    bool keeps_alpha = false;   ///< alpha stays as it is
    bool boosts_floats = true;  ///< highlights of images that were never clipped are boosted, too

    [[nodiscard]] BlendShape shape() const
    {
        return {blend, mask != nullptr, highlights.has_value(), highlights && leave != 0};
    }
};

/// `blending` as images that were clipped, or were not, need it.
[[nodiscard]] Blending blending_for(const Blending& blending, bool is_clipped);

/// The numbers of one channel.
struct ChannelBlend {
    double gain = 1;
    double leave = 0;
    double offset = 0;
};
[[nodiscard]] ChannelBlend blend_of(const Blending& blending, int channels, int channel, int alpha_channel);

/// What a result becomes: `value`, the convolved one; `image`: the pixel's samples; `mask`: 1 without one.
[[nodiscard]] double blended(const Blending& blending, int channel, int alpha_channel, double value,
                             std::span<const double> image, double mask);

/// The numbers that share_of_bright() of kernels/image.cl reads.
[[nodiscard]] std::vector<double> highlight_scalars(const Highlights& highlights, int alpha_channel);

}  // namespace clconv
