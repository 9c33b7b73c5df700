#include "engine/levels.h"

#include "conv/half_range.h"
#include "engine/bias.h"
#include "engine/defines.h"
#include "engine/scalars.h"

#include <algorithm>
#include <cmath>

namespace clconv {

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
    if (precision == Precision::half && plan.method == Method::fft) {
        const double scale = half_sample_scale(magnitude + largest_bias, plan.x.loaded);
        subtracted.push_back(scale);
        for (std::size_t c = 0; c < bias.size(); ++c)
            restored.push_back(result_scale(plan) / (scale * psf.scales[c % psf.scales.size()]));
    }
    return {scalars(subtracted, precision), scalars(restored, precision)};
}

}  // namespace clconv
