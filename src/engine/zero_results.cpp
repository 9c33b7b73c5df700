// SPDX-License-Identifier: Apache-2.0
#include "engine/zero_results.h"

#include "base/half.h"
#include "base/light.h"
#include "base/sample_value.h"
#include "conv/axis.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace clconv {
namespace {

/// Writes results where the convolution is zero.
class ZeroWriter {
public:
    ZeroWriter(const ZeroRule& rule, const ZeroRow& row)
        : rule_(rule),
          row_(row),
          channels_(static_cast<std::size_t>(rule.problem.channels)),
          at_(first_output(rule.problem)),
          max_dark_(max_dark(rule))
    {
    }

    /// `to`: the samples of output row y.
    void write(int y, int channel, Stretch stretch, std::byte* to) const
    {
        const ChannelBlend blend = blend_of(rule_.blending, {rule_.problem.channels, rule_.alpha_channel}, channel);
        const bool is_plain = rule_.blending.blend == Blend::none;
        const std::byte* const row = is_plain ? nullptr : row_(y + at_.y);
        for (int x = stretch.first; x <= stretch.last; ++x) {
            const double value = is_plain ? blend.offset : blended_zero(row, {x + at_.x, y + at_.y}, channel, blend);
            put(to, static_cast<std::size_t>(x) * channels_ + static_cast<std::size_t>(channel), value);
        }
    }

private:
    void put(std::byte* to, std::size_t index, double value) const
    {
        const auto store = [&](auto sample) { std::memcpy(to + index * sizeof(sample), &sample, sizeof(sample)); };
        const SampleType type = rule_.problem.output;
        if (type == SampleType::float64)
            store(value);
        else if (type == SampleType::half)
            store(half_from_float(static_cast<float>(value)));
        else
            store(static_cast<float>(value));
    }

    [[nodiscard]] double sample(const std::byte* row, int x, int channel) const
    {
        return sample_value(row, rule_.problem.input,
                            static_cast<std::size_t>(x) * channels_ + static_cast<std::size_t>(channel));
    }

    [[nodiscard]] double decoded(double sample) const
    {
        return rule_.problem.decode_srgb ? srgb_decoded(sample) : sample;
    }

    [[nodiscard]] double blended_zero(const std::byte* row, Position at, int channel, const ChannelBlend& blend) const
    {
        const double here = decoded(sample(row, at.x, channel));
        const auto& mask = rule_.blending.mask;
        const double part =
            mask ? mask->values[static_cast<std::size_t>(at.y) * mask->extent.width + static_cast<std::size_t>(at.x)]
                 : 1.0F;
        const bool all_is_bright = !rule_.blending.highlights || channel == rule_.alpha_channel;
        const bool keeps_all = here == 0 || blend.leave == 0;
        if (all_is_bright || keeps_all || is_dark(row, at.x, channel))
            return blended(rule_.blending.blend, blend, {here, all_is_bright ? here : 0, part}, 0);
        std::vector<double> pixel;
        for (int c = 0; c < rule_.problem.channels; ++c) pixel.push_back(decoded(sample(row, at.x, c)));
        return blended(rule_.blending, {pixel, rule_.alpha_channel, part}, channel, 0);
    }

    [[nodiscard]] bool is_dark(const std::byte* row, int x, int channel) const
    {
        const Channels channels{rule_.problem.channels, rule_.alpha_channel};
        return std::ranges::all_of(compared_channels(*rule_.blending.highlights, channels, channel),
                                   [&](int c) { return sample(row, x, c) <= max_dark_; });
    }

    const ZeroRule& rule_;
    const ZeroRow& row_;
    const std::size_t channels_;
    const Position at_;  ///< the image's coordinates of the first result
    const double max_dark_;
};

}  // namespace

ZeroResults::ZeroResults(const ZeroRule& rule, int first, int count, ZeroRow row)
    : rule_(rule),
      first_(first),
      count_(count),
      row_(std::move(row)),
      zeros_(zero_stretches(rule_, first_, count_, row_))
{
}

const Stretches& ZeroResults::at(int row, int channel) const
{
    return zeros_[static_cast<std::size_t>(row) * rule_.problem.channels + static_cast<std::size_t>(channel)];
}

bool ZeroResults::cover(int first, int last) const
{
    return !zeros_.empty() && std::ranges::all_of(zeros_, [&](const Stretches& row) {
        return std::ranges::any_of(row,
                                   [&](const Stretch& zeros) { return zeros.first <= first && last <= zeros.last; });
    });
}

void ZeroResults::write(std::byte* result) const
{
    if (zeros_.empty()) return;
    const Problem& problem = rule_.problem;
    const std::size_t row_bytes =
        static_cast<std::size_t>(output_extent(problem).width) * problem.channels * bytes_of(problem.output);
    const ZeroWriter writer(rule_, row_);
    for (int y = 0; y < count_; ++y)
        for (int c = 0; c < problem.channels; ++c)
            for (const Stretch& zeros : at(y, c))
                writer.write(first_ + y, c, zeros, result + static_cast<std::size_t>(y) * row_bytes);
}

}  // namespace clconv
