// SPDX-License-Identifier: Apache-2.0
// The comparison of two images: how they differ, and whether that is within tolerances.
#pragma once

#include "compare/differences.h"
#include "compare/stored_samples.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clconv {

/// The tolerances that the options of `clconv compare` give. One that is not given is not checked.
struct Tolerances {
    std::optional<double> max = {};
    std::optional<double> rms = {};
    std::optional<double> psnr = {};
    std::optional<double> ssim = {};
    std::optional<double> ulp = {};
    double percent = 0;  ///< of the samples may exceed `max`

    [[nodiscard]] bool are_given() const { return max || rms || psnr || ssim || ulp; }
};

struct Comparison {
    /// Why the images cannot be compared: their sizes or channels differ. Then the rest is empty.
    std::string mismatch = {};
    /// What makes the numbers others than a reader would expect, and what to do; no failure. Empty: nothing.
    std::string note = {};
    Extent extent = {};
    std::vector<std::string> channels = {};  ///< names, of the first image
    Differences differences = {};
    double range = 1;  ///< of psnr and ssim
    double psnr = std::numeric_limits<double>::infinity();
    std::optional<double> ssim = {};  ///< the mean of the channels; none without a window of finite samples
    std::optional<double> ulp = {};   ///< the largest distance in representable values; none if types differ
    std::vector<float> heatmap = {};  ///< on request: the largest difference of each pixel's channels
};

struct CompareRules {
    SampleScale scale = SampleScale::codes;
    double threshold = 0;              ///< for Differences::exceeding
    std::optional<double> range = {};  ///< instead of the one of the types
    bool has_heatmap = false;
    std::span<const std::uint8_t> mask = {};  ///< pixels where it is 0 do not count; empty: all count
};

/// Channels are compared in order. The range is that of an integer type, the larger one if they differ, and for floats
/// the larger of 1 and the largest magnitude of a finite sample.
[[nodiscard]] Comparison compare(const StoredSamples& a, const StoredSamples& b, const CompareRules& rules);

/// The tolerances that are exceeded, each as a sentence with the value found; empty if all hold. Images whose SSIM is
/// not known fail it unless they are equal.
[[nodiscard]] std::vector<std::string> failures(const Comparison& comparison, const Tolerances& tolerances);

}  // namespace clconv
