// SPDX-License-Identifier: Apache-2.0
#include "engine/clamped.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

namespace clconv {
namespace {

/// The range that values may have, both ends included.
struct ValueRange {
    double minimum = 0;
    double maximum = 1;
};

/// The range of a convolution's results for samples in [0, 1].
ValueRange convolved_range(const ChannelSupport& psf) { return {-psf.negative, psf.positive}; }

/// The range after blending, for every mask between 0 and 1.
ValueRange stored_range(const ValueRange& result, const Blending& blending)
{
    ValueRange range = result;
    if (blending.blend != Blend::none) {
        const double stays = 1 - blending.leave;
        const auto [min_gain, max_gain] = std::ranges::minmax(blending.gain);
        const double ends[] = {min_gain * result.minimum, min_gain * result.maximum, max_gain * result.minimum,
                               max_gain * result.maximum};
        const auto [minimum, maximum] = std::ranges::minmax(ends);
        range = {std::min(0.0, std::min(0.0, stays) + minimum), std::max(1.0, std::max(0.0, stays) + maximum)};
    }
    return {range.minimum + std::min(0.0, blending.offset), range.maximum + std::max(0.0, blending.offset)};
}

}  // namespace

bool may_clamp(const ImageView& image, const PsfSupport& psf, const ConvolveSettings& settings, SampleType output)
{
    const Blending& blending = settings.blending;
    if (!is_integer(output) || blending.highlights) return false;
    if (!is_integer(image.type)) return true;
    const BorderMode& border = mode_of(settings.border);
    if (border.has_own_value() &&
        std::ranges::any_of(settings.border_value, [](double value) { return value < 0 || value > 1; }))
        return true;
    const double code = 1 / (output == SampleType::u8 ? 255.0 : 65535.0);
    return std::ranges::any_of(psf.channels, [&](const ChannelSupport& channel) {
        if (border.divides_by_coverage && channel.negative > 0) return true;
        const ValueRange unit = border.divides_by_coverage ? ValueRange{} : convolved_range(channel);
        const ValueRange range = stored_range(unit, blending);
        return range.minimum < -code || range.maximum > 1 + code;
    });
}

std::uint64_t clamped_place(std::uint64_t results, SampleType type) { return CLAMPED_AT(results) * bytes_of(type); }

std::uint64_t counted_bytes(std::uint64_t results, const Problem& problem)
{
    return problem.counts_clamped ? clamped_place(results, problem.output) + kClampedBytes
                                  : results * bytes_of(problem.output);
}

void clear_clamped(Bytes& samples, std::uint64_t results, const Problem& problem)
{
    if (problem.counts_clamped) std::memset(samples.data() + clamped_place(results, problem.output), 0, kClampedBytes);
}

std::size_t take_clamped(Bytes& samples, std::uint64_t results, const Problem& problem)
{
    if (!problem.counts_clamped) return 0;
    std::array<std::uint32_t, CLAMPED_COUNTS> counts{};
    std::memcpy(counts.data(), samples.data() + clamped_place(results, problem.output), kClampedBytes);
    samples.shorten(results * bytes_of(problem.output));
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

}  // namespace clconv
