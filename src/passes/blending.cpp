// SPDX-License-Identifier: Apache-2.0
#include "passes/blending.h"

#include <algorithm>
#include <numeric>

#include "../../kernels/levels.cl"

namespace clconv {

namespace {

/// A channel's place in its layer. The first three channels are a layer's colours if nothing else is known.
LayerChannel layer_channel(const Blending& blending, const Channels& channels, int channel)
{
    if (channel == channels.alpha) return {Colour::alpha};
    if (blending.highlights && !blending.highlights->layers.empty())
        return blending.highlights->layers[static_cast<std::size_t>(channel)];
    constexpr Colour first_three[] = {Colour::red, Colour::green, Colour::blue};
    if (channels.count < 3 || channel >= 3) return {};
    return {first_three[channel], 0};
}

}  // namespace

double share_of_bright(const Highlights& highlights, double peak)
{
    if (!(peak > 0)) return 0;
    const double knee = highlights.knee;
    const double over = (highlights.maximum > 0 ? std::min(peak, highlights.maximum) : peak) - highlights.threshold;
    const double soft = std::clamp(over + knee, 0.0, 2 * knee);
    return std::max({over, 0.0, knee > 0 ? soft * soft / (4 * knee) : 0.0}) / peak;
}

double boost_of(const Highlights& highlights, double peak)
{
    const double near = std::clamp((peak - 0.8) * 5, 0.0, 1.0);
    return peak <= 1 ? 1 + highlights.boost * near * near : std::max(1.0, (1 + highlights.boost) / peak);
}

std::array<int, 4> compared_channels(const Highlights& highlights, const Channels& channels, int channel)
{
    std::array<int, 4> compared{channel, channel, channel, channel};
    if (channel == channels.alpha) return compared;
    const std::vector<LayerChannel>& layers = highlights.layers;
    const int triple = layers.empty() ? -1 : layers[static_cast<std::size_t>(channel)].triple;
    if (!layers.empty() && triple < 0) return compared;
    std::size_t found = 1;
    for (int c = 0; c < (layers.empty() ? std::min(channels.count, 3) : channels.count); ++c)
        if (c != channels.alpha && (layers.empty() || layers[static_cast<std::size_t>(c)].triple == triple))
            compared.at(found++) = c;
    return compared;
}

void make_bright(std::span<double> pixel, const Highlights& highlights, int alpha_channel)
{
    const Channels channels{static_cast<int>(pixel.size()), alpha_channel};
    std::vector<double> peaks;
    for (int c = 0; c < channels.count; ++c) {
        double peak = 0;
        for (const int other : compared_channels(highlights, channels, c))
            peak = std::max(peak, pixel[static_cast<std::size_t>(other)]);
        peaks.push_back(peak);
    }
    for (int c = 0; c < channels.count; ++c) {
        const double peak = peaks[static_cast<std::size_t>(c)];
        if (c != alpha_channel)
            pixel[static_cast<std::size_t>(c)] *= share_of_bright(highlights, peak) * boost_of(highlights, peak);
    }
}

std::vector<double> part_of(const Mask& mask, Position first, Extent size)
{
    std::vector<double> part;
    part.reserve(size.pixels());
    for (int y = first.y; y < first.y + size.height; ++y) {
        const auto row = mask.values.begin() + static_cast<std::ptrdiff_t>(y) * mask.extent.width + first.x;
        part.insert(part.end(), row, row + size.width);
    }
    return part;
}

double blended(Blend blend, const ChannelBlend& numbers, const BlendedSample& sample, double convolved)
{
    if (blend == Blend::none) return convolved + numbers.offset;
    const double room = blend == Blend::screen ? 1 - std::clamp(sample.value, 0.0, 1.0) : 1;
    return sample.value - sample.mask * numbers.leave * sample.bright + sample.mask * numbers.gain * room * convolved +
           numbers.offset;
}

double blended(const Blending& blending, const BlendedPixel& pixel, int channel, double value)
{
    const Channels channels{static_cast<int>(pixel.samples.size()), pixel.alpha_channel};
    const ChannelBlend numbers = blend_of(blending, channels, channel);
    if (blending.blend == Blend::none) return blended(blending.blend, numbers, {}, value);
    const double here = pixel.samples[static_cast<std::size_t>(channel)];
    double bright = here;
    if (blending.highlights) {
        Highlights without_boost = *blending.highlights;
        without_boost.boost = 0;
        std::vector<double> taken(pixel.samples.begin(), pixel.samples.end());
        make_bright(taken, without_boost, pixel.alpha_channel);
        bright = taken[static_cast<std::size_t>(channel)];
    }
    return blended(blending.blend, numbers, {here, bright, pixel.mask}, value);
}

Blending blending_for(const Blending& blending, const ImageView& image)
{
    Blending result = blending;
    if (!result.highlights) return result;
    if (!image.is_clipped && !blending.boosts_floats) result.highlights->boost = 0;
    result.highlights->layers.assign(image.layers.begin(), image.layers.end());
    return result;
}

ChannelBlend blend_of(const Blending& blending, const Channels& channels, int channel)
{
    const LayerChannel layer = layer_channel(blending, channels, channel);
    const bool is_alpha = channel == channels.alpha;
    if ((is_alpha || layer.colour == Colour::alpha) && blending.keeps_alpha) return {0, 0, 0};
    const std::vector<double>& gain = blending.gain;
    const double mean = std::accumulate(gain.begin(), gain.end(), 0.0) / static_cast<double>(gain.size());
    const auto index = static_cast<std::size_t>(layer.colour) - static_cast<std::size_t>(Colour::red);
    const bool has_own = layer.triple >= 0 && gain.size() > 1;
    return {has_own ? gain.at(index) : mean, blending.leave, is_alpha ? 0 : blending.offset};
}

std::array<double, BLEND_NUMBERS> blend_scalars(const ChannelBlend& blend)
{
    static_assert(sizeof blend == BLEND_NUMBERS * sizeof(double), "a number without its place");
    std::array<double, BLEND_NUMBERS> numbers{};
    numbers[BLEND_GAIN] = blend.gain;
    numbers[BLEND_LEAVE] = blend.leave;
    numbers[BLEND_OFFSET] = blend.offset;
    return numbers;
}

std::vector<double> highlight_scalars(const Highlights& highlights, const Channels& channels)
{
    constexpr double no_limit = 1e30;
    std::vector<double> numbers(HIGHLIGHT_NUMBERS);
    numbers[HIGHLIGHT_THRESHOLD] = highlights.threshold;
    numbers[HIGHLIGHT_KNEE] = highlights.knee;
    numbers[HIGHLIGHT_MOST] = highlights.maximum > 0 ? highlights.maximum : no_limit;
    numbers[HIGHLIGHT_BOOST] = highlights.boost;
    numbers[HIGHLIGHT_ALPHA] = channels.alpha;
    if (highlights.layers.empty()) return numbers;
    for (int c = 0; c < channels.count; ++c) {
        std::vector<double> others;
        for (const int other : compared_channels(highlights, channels, c))
            if (other != c) others.push_back(other - c);
        others.resize(LAYER_RIVALS);
        numbers.insert(numbers.end(), others.begin(), others.end());
    }
    return numbers;
}

}  // namespace clconv
