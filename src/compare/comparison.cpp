// SPDX-License-Identifier: Apache-2.0
#include "compare/comparison.h"

#include "compare/structural_similarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clconv {
namespace {

std::string mismatch_of(const StoredSamples& a, const StoredSamples& b)
{
    if (a.extent != b.extent) return fmt::format("sizes differ: {} and {}", to_string(a.extent), to_string(b.extent));
    if (a.channels() != b.channels())
        return fmt::format("numbers of channels differ: {} and {}", a.channels(), b.channels());
    return {};
}

/// Of codes whose largest ones differ, such as those of 8 and 16 bits: white differs from white.
std::string note_on_codes(const StoredSamples& a, const StoredSamples& b)
{
    for (std::size_t c = 0; c < a.channels(); ++c)
        if (unit_of(a.types[c], SampleScale::unit) != unit_of(b.types[c], SampleScale::unit))
            return fmt::format("samples are {} and {}, compared as they are stored; --scale unit compares 0 to 1",
                               name_of(a.types[c]), name_of(b.types[c]));
    return {};
}

/// Of pixels that are compared one by one, but lie in other places.
std::string note_on_places(const StoredSamples& a, const StoredSamples& b)
{
    if (a.place == b.place) return {};
    const auto text = [](const FramePlace& place) {
        return fmt::format("at {},{} of {}", place.position.x, place.position.y, to_string(place.frame));
    };
    return fmt::format("the pixels lie {} and {}", text(a.place), text(b.place));
}

std::string joined(const std::string& first, const std::string& second)
{
    return first.empty() || second.empty() ? first + second : fmt::format("{}; {}", first, second);
}

double range_of_types(const StoredSamples& a, const StoredSamples& b, const Differences& found, SampleScale scale)
{
    double range = 0;
    for (const StoredSamples* samples : {&a, &b})
        for (const FileType type : samples->types) range = std::max(range, range_of(type, scale));
    return range > 0 ? range : std::max(1.0, found.largest_sample);
}

void add_to_heatmap(std::vector<float>& heatmap, const PlanePair& pair)
{
    for (std::size_t i = 0; i < heatmap.size(); ++i)
        if (pair.mask.empty() || pair.mask[i] != 0)
            heatmap[i] = std::max(heatmap[i], static_cast<float>(difference_of(pair.a[i], pair.b[i])));
}

/// The planes of a channel, and what stays valid of them.
struct ChannelPlanes {
    std::vector<double> a;
    std::vector<double> b;

    [[nodiscard]] PlanePair pair(const StoredSamples& samples, std::size_t channel, const CompareRules& rules) const
    {
        return {samples.extent, static_cast<int>(channel), a, b, rules.mask};
    }
};

std::optional<double> mean_similarity(const StoredSamples& a, const StoredSamples& b, const CompareRules& rules,
                                      double range)
{
    double sum = 0;
    for (std::size_t c = 0; c < a.channels(); ++c) {
        const ChannelPlanes planes{a.plane(c, rules.scale), b.plane(c, rules.scale)};
        const std::optional<double> value = structural_similarity(planes.pair(a, c, rules), range);
        if (!value) return std::nullopt;
        sum += *value;
    }
    return sum / static_cast<double>(a.channels());
}

}  // namespace

Comparison compare(const StoredSamples& a, const StoredSamples& b, const CompareRules& rules)
{
    Comparison result;
    result.mismatch = mismatch_of(a, b);
    if (!result.mismatch.empty()) return result;
    if (rules.scale == SampleScale::codes) result.note = note_on_codes(a, b);
    result.note = joined(result.note, note_on_places(a, b));
    result.extent = a.extent;
    result.channels = a.names;
    if (rules.has_heatmap) result.heatmap.resize(a.extent.pixels());
    for (std::size_t c = 0; c < a.channels(); ++c) {
        const ChannelPlanes planes{a.plane(c, rules.scale), b.plane(c, rules.scale)};
        const PlanePair pair = planes.pair(a, c, rules);
        add_differences(result.differences, pair, rules.threshold);
        add_to_heatmap(result.heatmap, pair);
        if (a.types != b.types) continue;
        const ChannelPlanes steps{a.steps(c), b.steps(c)};
        add_steps(result.differences, steps.pair(a, c, rules));
    }
    if (a.types == b.types) result.ulp = result.differences.max_steps;
    result.range = rules.range.value_or(range_of_types(a, b, result.differences, rules.scale));
    result.psnr = result.differences.psnr(result.range);
    result.ssim = mean_similarity(a, b, rules, result.range);
    return result;
}

std::vector<std::string> failures(const Comparison& comparison, const Tolerances& tolerances)
{
    if (!comparison.mismatch.empty()) return {comparison.mismatch};
    std::vector<std::string> texts;
    const Differences& found = comparison.differences;
    // Sums leave out infinite differences.
    const bool is_infinite = found.largest && found.largest->value == std::numeric_limits<double>::infinity();
    if (tolerances.max && found.percent() > tolerances.percent)
        texts.push_back(fmt::format("{:.6g} % of the samples differ by more than {:g}; up to {:g} % may",
                                    found.percent(), *tolerances.max, tolerances.percent));
    if (tolerances.rms && (is_infinite || found.rms() > *tolerances.rms))
        texts.push_back(is_infinite ? "rms is infinite: one of two samples is not finite"
                                    : fmt::format("rms is {:.9g}, more than {:g}", found.rms(), *tolerances.rms));
    if (tolerances.psnr && comparison.psnr < *tolerances.psnr)
        texts.push_back(fmt::format("PSNR is {:.9g} dB, less than {:g}", comparison.psnr, *tolerances.psnr));
    if (tolerances.ssim && !comparison.ssim && found.differing > 0)
        texts.push_back(
            fmt::format("SSIM is not known: no window of {0}x{0} finite samples is inside", kSimilarityWindow));
    if (tolerances.ssim && comparison.ssim && *comparison.ssim < *tolerances.ssim)
        texts.push_back(fmt::format("SSIM is {:.9g}, less than {:g}", *comparison.ssim, *tolerances.ssim));
    if (tolerances.ulp && !comparison.ulp)
        texts.emplace_back("distances in representable values (--ulp) are known of equal sample types only");
    if (tolerances.ulp && comparison.ulp && *comparison.ulp > *tolerances.ulp)
        texts.push_back(fmt::format("the largest distance is {:.9g} representable values, more than {:g}",
                                    *comparison.ulp, *tolerances.ulp));
    return texts;
}

}  // namespace clconv
