// SPDX-License-Identifier: Apache-2.0
#include "passes/levels.h"

#include "base/overloaded.h"
#include "passes/bias.h"
#include "passes/light_tables.h"
#include "passes/scalars.h"
#include "passes/sizes.h"
#include "plan/half_range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace clconv {
namespace {

void put(std::vector<double>& numbers, int place, std::span<const double> values)
{
    std::ranges::copy(values, numbers.begin() + place);
}

/// The numbers for highlights, and the tables behind them.
std::vector<double> highlights_and_tables(const Problem& problem, const Channels& channels, const Blending& blending)
{
    std::vector<double> numbers;
    if (blending.highlights) numbers = highlight_scalars(*blending.highlights, channels);
    const std::vector<double> tables = tables_by_code(problem, blending.highlights);
    numbers.insert(numbers.end(), tables.begin(), tables.end());
    return numbers;
}

}  // namespace

std::uint64_t level_bytes(const Problem& problem)
{
    return max_levels(problem.channels) * scalar_bytes(problem.precision);
}

double result_scale(const Plan& plan)
{
    return std::visit(Overloaded{[&](const FftPlan& fft) {
                                     // Half spectra are stored as their doubles, the PSF's too.
                                     const double stored = fft.joint() ? 1 : 0.25;
                                     return stored / (static_cast<double>(fft.x.length) * fft.y.length *
                                                      column_scale(fft, plan.problem.precision));
                                 },
                                 [](const TilePlan& tiles) { return 1 / static_cast<double>(tiles.size.pixels()); },
                                 [](const DirectPlan&) { return 1.0; }},
                      plan.how);
}

std::vector<double> min_results(const Problem& problem, const ImageLevels& image, const std::vector<double>& restored)
{
    const bool in_double = problem.precision == Precision::float64;
    std::vector<double> minimum(image.bias.size(), kNoMinimum);
    if (!image.facts || !image.support) return minimum;
    const bool is_bias_outside = mode_of(problem.border).has_one_value();
    for (std::size_t c = 0; c < minimum.size(); ++c) {
        if (!image.support->of(static_cast<int>(c)).is_nonnegative) continue;
        const float sample = image.facts->minimum[c];
        // The facts of doubles are rounded to float.
        const double below = in_double ? std::nextafter(sample, std::numeric_limits<float>::lowest()) : sample;
        const bool is_above_border = is_bias_outside && !problem.blend.highlights && below >= image.bias[c];
        if (is_above_border)
            minimum[c] = restored[c];
        else if (sample >= 0 && (!is_bias_outside || problem.mode == Mode::valid || image.bias[c] >= 0))
            minimum[c] = 0;
    }
    return minimum;
}

LevelScalars level_scalars(const Plan& plan, const ImageLevels& image, const PreparedPsf& psf, const Blending& blending)
{
    const std::vector<double>& bias = image.bias;
    SimpleLevels levels;
    double largest_bias = 0;
    for (std::size_t c = 0; c < bias.size(); ++c) {
        levels.subtracted.push_back(bias[c]);
        levels.restored.push_back(restored_bias(bias[c], psf.sums[c % psf.sums.size()], plan.problem.border));
        largest_bias = std::max<double>(largest_bias, std::abs(bias[c]));
    }
    const Precision precision = plan.problem.precision;
    const bool in_half = precision == Precision::half && plan.is_fft();
    const double boost = blending.highlights ? blending.highlights->boost : 0;
    const double largest = image.magnitude * (1 + boost) + largest_bias;
    levels.sample_scale = in_half ? half_sample_scale(largest, plan.fft().x.loaded) : 1;
    for (std::size_t c = 0; c < bias.size(); ++c)
        levels.scales.push_back(result_scale(plan) /
                                (in_half ? levels.sample_scale * psf.scales[c % psf.scales.size()] : 1));
    if (psf.is_inverse && image.alpha_channel >= 0) {
        const auto alpha = static_cast<std::size_t>(image.alpha_channel);
        const double gain = psf.sums[alpha % psf.sums.size()];
        if (gain != 0) {
            levels.restored[alpha] /= gain;
            levels.scales[alpha] /= gain;
        }
    }
    levels.minimum = min_results(plan.problem, image, levels.restored);
    return with_blend(std::move(levels), plan.problem, image, blending);
}

LevelScalars with_blend(SimpleLevels levels, const Problem& problem, const ImageLevels& image, const Blending& blending)
{
    const int count = problem.channels;
    const Channels channels{count, image.alpha_channel};
    const bool blends = blending.blend != Blend::none;
    std::vector<double> bias(BIAS_HIGHLIGHTS(count));
    std::vector<double> restore(blends ? RESTORE_HIGHLIGHTS(count) : RESTORE_BLEND(count));
    for (int c = 0; c < count; ++c) {
        const ChannelBlend blend = blend_of(blending, channels, c);
        const auto channel = static_cast<std::size_t>(c);
        if (!blends) {
            levels.restored[channel] += blend.offset;
            levels.minimum[channel] += blend.offset;
            continue;
        }
        const std::array<double, BLEND_NUMBERS> numbers = blend_scalars(blend);
        for (int k = 0; k < BLEND_NUMBERS; ++k) restore[RESTORE_BLEND(count) + k * count + c] = numbers.at(k);
    }
    put(bias, 0, levels.subtracted);
    bias[BIAS_SCALE(count)] = levels.sample_scale;
    put(restore, 0, levels.restored);
    put(restore, RESTORE_SCALE(count), levels.scales);
    put(restore, RESTORE_LEAST(count), levels.minimum);

    const std::vector<double> highlights = highlights_and_tables(problem, channels, blending);
    bias.insert(bias.end(), highlights.begin(), highlights.end());
    if (blends) restore.insert(restore.end(), highlights.begin(), highlights.end());
    return {scalars(bias, problem.precision), scalars(restore, problem.precision)};
}

}  // namespace clconv
