// SPDX-License-Identifier: Apache-2.0
#include "compare/differences.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clconv {
namespace {

bool counts(const PlanePair& pair, std::size_t sample) { return pair.mask.empty() || pair.mask[sample] != 0; }

Position place_of_sample(const PlanePair& pair, std::size_t sample)
{
    const auto width = static_cast<std::size_t>(pair.extent.width);
    return {static_cast<int>(sample % width), static_cast<int>(sample / width)};
}

}  // namespace

double Differences::rms() const { return std::sqrt(mean_square()); }

double Differences::percent() const
{
    return samples > 0 ? 100.0 * static_cast<double>(exceeding) / static_cast<double>(samples) : 0;
}

double Differences::psnr(double range) const
{
    if (largest && std::isinf(largest->value)) return -std::numeric_limits<double>::infinity();
    if (squares == 0) return std::numeric_limits<double>::infinity();
    return 10 * std::log10(range * range / mean_square());
}

double difference_of(double a, double b)
{
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double difference = std::abs(a - b);
    return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

void add_differences(Differences& differences, const PlanePair& pair, double threshold)
{
    for (std::size_t i = 0; i < pair.a.size(); ++i) {
        if (!counts(pair, i)) continue;
        const double a = pair.a[i];
        const double b = pair.b[i];
        const double difference = difference_of(a, b);
        ++differences.samples;
        if (difference > 0) ++differences.differing;
        if (difference > threshold) ++differences.exceeding;
        if (difference > (differences.largest ? differences.largest->value : 0))
            differences.largest = {difference, place_of_sample(pair, i), pair.channel, a, b};
        if (!std::isfinite(a)) ++differences.nonfinite_a;
        if (!std::isfinite(b)) ++differences.nonfinite_b;
        if (!std::isfinite(a) || !std::isfinite(b)) continue;
        ++differences.finite;
        differences.sum += difference;
        differences.squares += difference * difference;
        differences.largest_sample = std::max({differences.largest_sample, std::abs(a), std::abs(b)});
    }
}

void add_steps(Differences& differences, const PlanePair& steps)
{
    for (std::size_t i = 0; i < steps.a.size(); ++i)
        if (counts(steps, i))
            differences.max_steps = std::max(differences.max_steps, difference_of(steps.a[i], steps.b[i]));
}

}  // namespace clconv
