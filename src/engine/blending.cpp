#include "engine/blending.h"

#include <algorithm>
#include <numeric>

namespace clconv {

double share_of_bright(const Highlights& highlights, double peak)
{
    if (!(peak > 0)) return 0;
    const double knee = highlights.knee;
    const double over = (highlights.most > 0 ? std::min(peak, highlights.most) : peak) - highlights.threshold;
    const double soft = std::clamp(over + knee, 0.0, 2 * knee);
    return std::max({over, 0.0, knee > 0 ? soft * soft / (4 * knee) : 0.0}) / peak;
}

double boost_of(const Highlights& highlights, double peak)
{
    const double near = std::clamp((peak - 0.8) * 5, 0.0, 1.0);
    return peak <= 1 ? 1 + highlights.boost * near * near : std::max(1.0, (1 + highlights.boost) / peak);
}

void make_bright(std::span<double> pixel, const Highlights& highlights, int alpha_channel)
{
    double brightest = 0;
    for (int c = 0; c < static_cast<int>(std::min<std::size_t>(pixel.size(), 3)); ++c)
        if (c != alpha_channel) brightest = std::max(brightest, pixel[static_cast<std::size_t>(c)]);
    for (int c = 0; c < static_cast<int>(pixel.size()); ++c) {
        if (c == alpha_channel) continue;
        double& value = pixel[static_cast<std::size_t>(c)];
        const double peak = std::max(brightest, value);
        value *= share_of_bright(highlights, peak) * boost_of(highlights, peak);
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

double blended(const Blending& blending, const BlendedPixel& pixel, int channel, double value)
{
    const Channels channels{static_cast<int>(pixel.samples.size()), pixel.alpha_channel};
    const ChannelBlend blend = blend_of(blending, channels, channel);
    if (blending.blend == Blend::none) return value + blend.offset;
    const double here = pixel.samples[static_cast<std::size_t>(channel)];
    double bright = here;
    if (blending.highlights) {
        Highlights without_boost = *blending.highlights;
        without_boost.boost = 0;
        std::vector<double> taken(pixel.samples.begin(), pixel.samples.end());
        make_bright(taken, without_boost, pixel.alpha_channel);
        bright = taken[static_cast<std::size_t>(channel)];
    }
    const double room = blending.blend == Blend::screen ? 1 - std::clamp(here, 0.0, 1.0) : 1;
    return here - pixel.mask * blend.leave * bright + pixel.mask * blend.gain * room * value + blend.offset;
}

Blending blending_for(const Blending& blending, bool is_clipped)
{
    Blending result = blending;
    if (result.highlights && !is_clipped && !blending.boosts_floats) result.highlights->boost = 0;
    return result;
}

ChannelBlend blend_of(const Blending& blending, const Channels& channels, int channel)
{
    const bool is_alpha = channel == channels.alpha;
    if (is_alpha && blending.keeps_alpha) return {0, 0, 0};
    const std::vector<double>& gain = blending.gain;
    const auto index = static_cast<std::size_t>(channel);
    const double mean = std::accumulate(gain.begin(), gain.end(), 0.0) / static_cast<double>(gain.size());
    const bool is_colour = channels.count >= 3 && index < gain.size() && !is_alpha;
    return {is_colour ? gain[index] : mean, blending.leave, is_alpha ? 0 : blending.offset};
}

std::vector<double> highlight_scalars(const Highlights& highlights, int alpha_channel)
{
    constexpr double no_limit = 1e30;
    return {highlights.threshold, highlights.knee, highlights.most > 0 ? highlights.most : no_limit, highlights.boost,
            static_cast<double>(alpha_channel)};
}

}  // namespace clconv
