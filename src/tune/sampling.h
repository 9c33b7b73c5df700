// SPDX-License-Identifier: Apache-2.0
// Compares times on a machine that also does other work.
//
// Samples are taken round-robin, so that a slow minute hurts all candidates equally. The first sample of each is
// discarded. Medians are compared, and only differences beyond the noise count. Nothing here knows clocks or devices:
// the cost is a function, so tests can use synthetic noise.
#pragma once

#include "bench/statistics.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace clconv {

/// One sample of a candidate's cost, in ms.
using Cost = std::function<double(std::size_t candidate)>;

struct SamplingRules {
    int warm_up = 1;                  ///< samples of each that are discarded
    int minimum = 3;                  ///< rounds before a candidate may be dropped
    int maximum = 9;                  ///< rounds
    double resolution = 0.01;         ///< smaller relative differences never count
    std::function<bool()> stop = {};  ///< called between rounds, after the minimum; may be empty
};

/// The standing of a candidate.
struct Standing {
    Spread ms;
    int samples = 0;
    bool dropped = false;  ///< early, because clearly behind
};

/// The likely error of the median of these samples.
[[nodiscard]] double noise_of(const Standing& standing, double resolution);

/// True if `one` is faster than `other` by more than the noise of both.
[[nodiscard]] bool ahead(const Standing& one, const Standing& other, double resolution);

/// `count` standings. Candidates that are clearly behind the best are not sampled any more.
[[nodiscard]] std::vector<Standing> sample_round_robin(std::size_t count, const Cost& cost, const SamplingRules& rules);

/// The fastest that is ahead of the incumbent, else the incumbent.
[[nodiscard]] std::size_t winner(const std::vector<Standing>& standings, std::size_t incumbent, double resolution);

/// A second comparison: samples of candidates 0 (the incumbent) and 1 (the challenger) alternate, `pairs` times.
struct Duel {
    Spread incumbent;
    Spread challenger;
    double ratio = 1;  ///< median of challenger / incumbent of neighbours in time
    bool won = false;  ///< by the challenger: at least three of four pairs, and by more than the resolution
};
[[nodiscard]] Duel duel(const Cost& cost, int pairs, double resolution);

}  // namespace clconv
