// SPDX-License-Identifier: Apache-2.0
// How much two planes of numbers differ: counts, sums and the place of the largest difference.
#pragma once

#include "base/extent.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace clconv {

/// Where two images differ most.
struct LargestDifference {
    double value = 0;  ///< infinite where only one sample is finite, or both are infinite and differ
    Position place;
    int channel = 0;
    double a = 0;
    double b = 0;
};

/// Statistics of all samples that were added. Two NaNs, and two equal infinities, do not differ.
struct Differences {
    std::size_t samples = 0;
    std::size_t differing = 0;  ///< samples that are not equal
    std::size_t exceeding = 0;  ///< samples whose difference is above the threshold
    std::size_t nonfinite_a = 0;
    std::size_t nonfinite_b = 0;
    std::size_t finite = 0;                         ///< samples that are finite in both
    double sum = 0;                                 ///< of absolute differences, where both are finite
    double squares = 0;                             ///< of differences, where both are finite
    double largest_sample = 0;                      ///< the largest finite magnitude of both
    double max_steps = 0;                           ///< largest distance in representable values; NaN is infinitely far
    std::optional<LargestDifference> largest = {};  ///< none if all are equal; the first of equal ones

    [[nodiscard]] double mean() const { return finite > 0 ? sum / static_cast<double>(finite) : 0; }
    [[nodiscard]] double mean_square() const { return finite > 0 ? squares / static_cast<double>(finite) : 0; }
    [[nodiscard]] double rms() const;
    /// Share of the samples above the threshold, in percent.
    [[nodiscard]] double percent() const;
    /// 10 log10(range^2 / mean square); infinite for equal images.
    [[nodiscard]] double psnr(double range) const;
};

/// The absolute difference, as LargestDifference has it.
[[nodiscard]] double difference_of(double a, double b);

struct PlanePair {
    Extent extent;
    int channel = 0;
    std::span<const double> a;
    std::span<const double> b;
    std::span<const std::uint8_t> mask;  ///< samples where it is 0 do not count; empty: all count
};

/// Adds the samples of a channel. `threshold`: for Differences::exceeding.
void add_differences(Differences& differences, const PlanePair& pair, double threshold);

/// Adds the distances of steps (StoredSamples::steps) to Differences::max_steps.
void add_steps(Differences& differences, const PlanePair& steps);

}  // namespace clconv
