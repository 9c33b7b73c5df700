// SPDX-License-Identifier: Apache-2.0
#include "tune/sampling.h"

#include <algorithm>
#include <cmath>

namespace clconv {
namespace {

constexpr double kHopeless = 3;

}  // namespace

double noise_of(const Standing& standing, double resolution)
{
    // 1.48 MAD estimates a standard deviation, and 1.25 / sqrt(n) of that is the standard error of a median. This is
    // twice that.
    const double error = 2 * 1.25 * 1.48 * standing.ms.mad / std::sqrt(std::max(1, standing.samples));
    return std::max(error, resolution / 2 * standing.ms.median);
}

bool ahead(const Standing& one, const Standing& other, double resolution)
{
    return one.ms.median + noise_of(one, resolution) < other.ms.median - noise_of(other, resolution);
}

std::vector<Standing> sample_round_robin(std::size_t count, const Cost& cost, const SamplingRules& rules)
{
    std::vector<Standing> standings(count);
    std::vector<std::vector<double>> samples(count);
    std::vector<double> warm(count);
    for (int i = 0; i < rules.warm_up; ++i)
        for (std::size_t c = 0; c < count; ++c) warm[c] = cost(c);
    for (int round = 0; round < rules.maximum; ++round) {
        if (round >= rules.minimum && rules.stop && rules.stop()) break;
        for (std::size_t i = 0; i < count; ++i) {
            // Every other round runs backwards, so that the first after a pause is not always the same.
            const std::size_t c = round % 2 ? count - 1 - i : i;
            if (standings[c].dropped) continue;
            samples[c].push_back(cost(c));
            standings[c].ms = spread_of(samples[c]);
            standings[c].samples = static_cast<int>(samples[c].size());
        }
        const auto best = std::min_element(standings.begin(), standings.end(),
                                           [](const auto& a, const auto& b) { return a.ms.median < b.ms.median; });
        // Drop a candidate that took several times as long twice: it would take time from the others.
        if (round == 0 && rules.minimum < rules.maximum)
            for (std::size_t c = 0; c < count; ++c)
                standings[c].dropped = std::min(warm[c], standings[c].ms.min) > kHopeless * best->ms.median;
        if (round + 1 < rules.minimum) continue;
        for (Standing& standing : standings)
            // Even its best sample is worse than the median of the best candidate, and its median is far worse.
            if (standing.ms.min > best->ms.median && ahead(*best, standing, 10 * rules.resolution))
                standing.dropped = true;
    }
    return standings;
}

std::size_t winner(const std::vector<Standing>& standings, std::size_t incumbent, double resolution)
{
    std::size_t best = incumbent;
    for (std::size_t c = 0; c < standings.size(); ++c)
        if (ahead(standings[c], standings[incumbent], resolution) && standings[c].ms.median < standings[best].ms.median)
            best = c;
    return best;
}

Duel duel(const Cost& cost, int pairs, double resolution)
{
    std::vector<double> times[2], ratios;
    int wins = 0;
    for (const std::size_t warm : {0u, 1u}) (void)cost(warm);
    for (int i = 0; i < pairs; ++i) {
        const std::size_t first = i % 2;
        double pair[2];
        pair[first] = cost(first);
        pair[1 - first] = cost(1 - first);
        for (int c = 0; c < 2; ++c) times[c].push_back(pair[c]);
        ratios.push_back(pair[1] / pair[0]);
        wins += pair[1] < pair[0];
    }
    Duel result{spread_of(times[0]), spread_of(times[1]), spread_of(ratios).median, false};
    result.won = 4 * wins >= 3 * pairs && result.ratio < 1 - resolution;
    return result;
}

}  // namespace clconv
