// SPDX-License-Identifier: Apache-2.0
#include "engine/zero_stretches.h"

#include "base/half.h"
#include "conv/axis.h"
#include "plan/pieces.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace clconv {
namespace {

/// Samples as they are stored, of type T, to compare with zero and with each other.
template <class T>
double number_of_sample(T sample)
{
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return sample;
    if constexpr (std::is_same_v<T, std::uint8_t>) return sample / 255.0;
    if constexpr (std::is_same_v<T, std::uint16_t>) return sample / 65535.0;
}
/// A half as its bits.
struct Half {
    std::uint16_t bits;
};
template <>
double number_of_sample<Half>(Half sample)
{
    return float_from_half(sample.bits);
}
template <class T>
bool is_zero(T sample)
{
    if constexpr (std::is_same_v<T, Half>)
        return (sample.bits & 0x7fffU) == 0;
    else
        return sample == 0;
}

/// Calls `function` with a row's samples in their own type.
template <class Function>
auto with_samples(SampleType type, const std::byte* row, const Function& function)
{
    switch (type) {
        case SampleType::u8: return function(reinterpret_cast<const std::uint8_t*>(row));
        case SampleType::u16: return function(reinterpret_cast<const std::uint16_t*>(row));
        case SampleType::half: return function(reinterpret_cast<const Half*>(row));
        case SampleType::float64: return function(reinterpret_cast<const double*>(row));
        case SampleType::float32: break;
    }
    return function(reinterpret_cast<const float*>(row));
}

template <class T>
bool has_zero(const T* samples, std::size_t count)
{
    unsigned found = 0;
    for (std::size_t i = 0; i < count; ++i) found |= is_zero(samples[i]) ? 1U : 0U;
    return found != 0;
}

template <class IsZero>
Stretches stretches(int width, const IsZero& is_zero_at)
{
    Stretches found;
    for (int x = 0; x < width; ++x) {
        if (!is_zero_at(x)) continue;
        const int first = x;
        while (x + 1 < width && is_zero_at(x + 1)) ++x;
        found.push_back({first, x});
    }
    return found;
}

void append_stretch(Stretches& to, Stretch next)
{
    if (!to.empty() && to.back().last + 1 == next.first)
        to.back().last = next.last;
    else
        to.push_back(next);
}

/// The part of `candidates` that a run of the PSF leaves: results for which all positions under the run are in one
/// stretch of `zeros`.
Stretches those_that_fit(const Stretches& candidates, const Stretches& zeros, const SupportRun& run)
{
    Stretches fit;
    auto zero = zeros.begin();
    for (const Stretch& candidate : candidates)
        for (; zero != zeros.end(); ++zero) {
            const int first = std::max(zero->first - run.first, candidate.first);
            const int last = std::min(zero->last - run.last, candidate.last);
            if (first <= last) fit.push_back({first, last});
            if (zero->last - run.last > candidate.last) break;  // may hold more candidates
        }
    return fit;
}

/// Finds the zeros of one output row after another.
class Finder {
public:
    Finder(const ZeroRule& rule, int first, int count, const ZeroRow& row)
        : rule_(rule),
          row_(row),
          width_(output_count(along_x(rule.problem))),
          rows_(piece_sources(along_y(rule.problem), first, count)),
          columns_(piece_sources(along_x(rule.problem), 0, width_)),
          runs_(source_runs(columns_)),
          max_dark_(max_dark(rule)),
          known_(static_cast<std::size_t>(rule.problem.image.height))
    {
    }

    [[nodiscard]] bool may_find_any() const
    {
        const auto is_outside = [](int source) { return source < 0; };
        return rule_.has_zeros || max_dark_ > 0 || std::ranges::any_of(rows_, is_outside) ||
               std::ranges::any_of(columns_, is_outside);
    }

    [[nodiscard]] Stretches find(int y, int channel)
    {
        Stretches fit{{0, width_ - 1}};
        for (const SupportRun& run : rule_.support->of(channel).runs) {
            const Stretches& zeros = zeros_of(y + run.row, channel);
            if (zeros.size() == 1 && zeros.front().first == 0 && zeros.front().last == all().last) continue;
            fit = those_that_fit(fit, zeros, run);
            if (fit.empty()) break;
        }
        return fit;
    }

private:
    [[nodiscard]] Stretch all() const { return {0, static_cast<int>(columns_.size()) - 1}; }

    [[nodiscard]] bool is_zero_outside(int channel) const
    {
        return rule_.outside.empty() || rule_.outside[static_cast<std::size_t>(channel)] == 0;
    }

    /// The zeros of a row of the extended image.
    const Stretches& zeros_of(int position, int channel)
    {
        const int source = rows_[static_cast<std::size_t>(position)];
        if (source < 0) return is_zero_outside(channel) ? all_ : none_;
        std::vector<Stretches>& row = known_[static_cast<std::size_t>(source)];
        if (row.empty()) row = zeros_in_row(source);
        return row[static_cast<std::size_t>(channel)];
    }

    [[nodiscard]] std::vector<Stretches> zeros_in_row(int source) const
    {
        const int channels = rule_.problem.channels;
        if (!rule_.has_zeros && max_dark_ <= 0) return extended(std::vector<Stretches>(channels));
        return extended(with_samples(rule_.problem.input, row_(source), [&](const auto* samples) {
            if (max_dark_ > 0) return nothing_taken_in_row(samples);
            std::vector<Stretches> zeros(static_cast<std::size_t>(channels));
            const int width = rule_.problem.image.width;
            if (has_zero(samples, static_cast<std::size_t>(width) * channels)) {
                for (int c = 0; c < channels; ++c)
                    zeros[c] = stretches(width, [&](int x) { return is_zero(samples[c + x * channels]); });
            }
            return zeros;
        }));
    }

    /// For each pixel, 1 if the brightest of the channels `compared` is dark.
    template <class T>
    [[nodiscard]] std::vector<char> dark_pixels(const T* samples, const std::array<int, 4>& compared) const
    {
        std::vector<char> dark(static_cast<std::size_t>(rule_.problem.image.width));
        for (char& pixel : dark) {
            bool is_dark = true;
            for (const int c : compared) is_dark = is_dark && number_of_sample(samples[c]) <= max_dark_;
            pixel = is_dark ? 1 : 0;
            samples += rule_.problem.channels;
        }
        return dark;
    }

    template <class T>
    [[nodiscard]] std::vector<Stretches> nothing_taken_in_row(const T* samples) const
    {
        const Channels channels{rule_.problem.channels, rule_.alpha_channel};
        std::vector<Stretches> zeros;
        std::array<int, 4> looked_at{};
        std::vector<char> dark;
        for (int c = 0; c < channels.count; ++c) {
            std::array<int, 4> compared = compared_channels(*rule_.blending.highlights, channels, c);
            std::ranges::sort(compared);
            // The colours of a triple are all compared with the same channels, so once is enough.
            std::fill(std::unique(compared.begin(), compared.end()), compared.end(), compared.front());
            if (dark.empty() || compared != looked_at) dark = dark_pixels(samples, compared);
            looked_at = compared;
            zeros.push_back(nothing_taken(samples + c, dark, c));
        }
        return zeros;
    }

    /// Where nothing of a channel is convolved. `samples` begins with the channel's first sample. Not at infinities and
    /// NaN, because 0 times them is NaN.
    template <class T>
    [[nodiscard]] Stretches nothing_taken(const T* samples, const std::vector<char>& dark, int channel) const
    {
        const int channels = rule_.problem.channels;
        const bool is_alpha = channel == rule_.alpha_channel;
        return stretches(static_cast<int>(dark.size()), [&](int x) {
            const T sample = samples[x * channels];
            if (is_zero(sample)) return true;
            if (is_alpha || dark[static_cast<std::size_t>(x)] == 0) return false;
            return number_of_sample(sample) > -std::numeric_limits<double>::infinity();
        });
    }

    /// Zeros of an image row as positions of the extended one.
    [[nodiscard]] std::vector<Stretches> extended(const std::vector<Stretches>& in_image) const
    {
        std::vector<Stretches> result;
        for (const Stretches& zeros : in_image) {
            const bool outside = is_zero_outside(static_cast<int>(result.size()));
            Stretches& positions = result.emplace_back();
            for (const SourceRun& run : runs_) {
                if (run.source < 0) {
                    if (outside) append_stretch(positions, {run.first, run.first + run.count - 1});
                    continue;
                }
                const int end = run.source + run.count, shift = run.first - run.source;
                const auto before = [](const Stretch& stretch, int column) { return stretch.last < column; };
                for (auto zero = std::lower_bound(zeros.begin(), zeros.end(), run.source, before);
                     zero != zeros.end() && zero->first < end; ++zero)
                    append_stretch(positions,
                                   {std::max(zero->first, run.source) + shift, std::min(zero->last, end - 1) + shift});
            }
        }
        return result;
    }

    const ZeroRule& rule_;
    const ZeroRow& row_;
    const int width_;
    const std::vector<int> rows_, columns_;  ///< the image's at each position of the extended image
    const std::vector<SourceRun> runs_;      ///< of columns_
    const double max_dark_;
    std::vector<std::vector<Stretches>> known_;  ///< [image row][channel]; none: not looked at yet
    const Stretches all_{all()};
    const Stretches none_;
};

}  // namespace

std::vector<Stretches> zero_stretches(const ZeroRule& rule, int first, int count, const ZeroRow& row)
{
    std::vector<Stretches> zeros;
    Finder finder(rule, first, count, row);
    if (!finder.may_find_any()) return zeros;
    for (int y = 0; y < count; ++y)
        for (int c = 0; c < rule.problem.channels; ++c) zeros.push_back(finder.find(y, c));
    return zeros;
}

}  // namespace clconv
