#include "passes/levels.h"

#include "base/overloaded.h"
#include "passes/bias.h"
#include "passes/light_tables.h"
#include "passes/scalars.h"
#include "passes/sizes.h"
#include "plan/half_range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace clconv {
namespace {

/// Appends the numbers of blends to `subtracted` and `restored`. Without a blend, the offset is part of the restored
/// level.
void add_blend(SimpleLevels& levels, const Problem& problem, int alpha_channel, const Blending& blending)
{
    const Channels channels{problem.channels, alpha_channel};
    std::vector<double>& restored = levels.restored;
    std::vector<ChannelBlend> blends;
    for (int c = 0; c < channels.count; ++c) blends.push_back(blend_of(blending, channels, c));
    if (blending.blend == Blend::none) {
        for (std::size_t c = 0; c < blends.size(); ++c) {
            restored[c] += blends[c].offset;
            restored[2 * blends.size() + c] += blends[c].offset;
        }
    } else {
        for (const auto part : {&ChannelBlend::gain, &ChannelBlend::leave, &ChannelBlend::offset})
            for (const ChannelBlend& blend : blends) restored.push_back(blend.*part);
    }
    std::vector<double> numbers;
    if (blending.highlights) numbers = highlight_scalars(*blending.highlights, channels);
    const std::vector<double> tables = tables_by_code(problem, blending.highlights);
    numbers.insert(numbers.end(), tables.begin(), tables.end());
    for (std::vector<double>* scalars : {&levels.subtracted, &restored})
        scalars->insert(scalars->end(), numbers.begin(), numbers.end());
}

}  // namespace

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

std::vector<double> least_results(const Problem& problem, const ImageLevels& image, const std::vector<double>& restored)
{
    std::vector<double> least(image.bias.size(), std::numeric_limits<float>::lowest());
    if (!image.facts || !image.support) return least;
    const bool is_empty = problem.border == Border::zero || problem.border == Border::constant;
    for (std::size_t c = 0; c < least.size(); ++c) {
        if (!image.support->of(static_cast<int>(c)).is_nonnegative) continue;
        const float sample = image.facts->least[c];
        const bool is_above_border = is_empty && !problem.blend.highlights && sample >= image.bias[c];
        if (is_above_border)
            least[c] = restored[c];
        else if (sample >= 0 && (!is_empty || problem.mode == Mode::valid || image.bias[c] >= 0))
            least[c] = 0;
    }
    return least;
}

LevelScalars level_scalars(const Plan& plan, const ImageLevels& image, const PreparedPsf& psf, const Blending& blending)
{
    const std::vector<float>& bias = image.bias;
    std::vector<double> subtracted;
    std::vector<double> restored;
    double largest_bias = 0;
    for (std::size_t c = 0; c < bias.size(); ++c) {
        subtracted.push_back(bias[c]);
        restored.push_back(restored_bias(subtracted.back(), psf.sums[c % psf.sums.size()], plan.problem.border));
        largest_bias = std::max(largest_bias, std::abs(subtracted.back()));
    }
    std::vector<double> least = least_results(plan.problem, image, restored);
    const Precision precision = plan.problem.precision;
    const bool in_half = precision == Precision::half && plan.is_fft();
    const double boost = blending.highlights ? blending.highlights->boost : 0;
    const double largest = image.magnitude * (1 + boost) + largest_bias;
    const double scale = in_half ? half_sample_scale(largest, plan.fft().x.loaded) : 1;
    subtracted.push_back(scale);
    for (std::size_t c = 0; c < bias.size(); ++c)
        restored.push_back(result_scale(plan) / (in_half ? scale * psf.scales[c % psf.scales.size()] : 1));
    return with_blend({std::move(subtracted), std::move(restored), std::move(least)}, plan.problem, image, blending);
}

LevelScalars with_blend(SimpleLevels levels, const Problem& problem, const ImageLevels& image, const Blending& blending)
{
    levels.restored.insert(levels.restored.end(), levels.least.begin(), levels.least.end());
    add_blend(levels, problem, image.alpha_channel, blending);
    return {scalars(levels.subtracted, problem.precision), scalars(levels.restored, problem.precision)};
}

}  // namespace clconv
