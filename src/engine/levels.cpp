#include "engine/levels.h"

#include "base/overloaded.h"
#include "conv/half_range.h"
#include "engine/bias.h"
#include "engine/scalars.h"
#include "engine/sizes.h"

#include <algorithm>
#include <cmath>

namespace clconv {

double result_scale(const Plan& plan)
{
    return std::visit(Overloaded{[&](const FftPlan& fft) {
                                     return 0.25 / (static_cast<double>(fft.x.length) * fft.y.length *
                                                    column_scale(fft, plan.problem.precision));
                                 },
                                 [](const TilePlan& tiles) { return 1 / static_cast<double>(tiles.size.pixels()); },
                                 [](const DirectPlan&) { return 1.0; }},
                      plan.how);
}

LevelScalars level_scalars(const Plan& plan, const std::vector<float>& bias, double magnitude, const PreparedPsf& psf)
{
    std::vector<double> subtracted;
    std::vector<double> restored;
    double largest_bias = 0;
    for (std::size_t c = 0; c < bias.size(); ++c) {
        subtracted.push_back(bias[c]);
        restored.push_back(restored_bias(subtracted.back(), psf.sums[c % psf.sums.size()], plan.problem.border));
        largest_bias = std::max(largest_bias, std::abs(subtracted.back()));
    }
    const Precision precision = plan.problem.precision;
    const bool in_half = precision == Precision::half && plan.is_fft();
    const double scale = in_half ? half_sample_scale(magnitude + largest_bias, plan.fft().x.loaded) : 1;
    subtracted.push_back(scale);
    for (std::size_t c = 0; c < bias.size(); ++c)
        restored.push_back(result_scale(plan) / (in_half ? scale * psf.scales[c % psf.scales.size()] : 1));
    return {scalars(subtracted, precision), scalars(restored, precision)};
}

}  // namespace clconv
