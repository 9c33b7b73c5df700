// SPDX-License-Identifier: Apache-2.0
// The numbers of one image that its row passes read in addition to the samples: levels and, with --precision half,
// scales.
#pragma once

#include "base/bytes.h"
#include "base/sample_facts.h"
#include "passes/blending.h"
#include "passes/engine.h"
#include "psf/support.h"

#include <cstdint>
#include <limits>
#include <vector>

// Where each number lies: an array is made and read by the same text.
#include "../../kernels/levels.cl"

namespace clconv {

/// The arrays of kernels/levels.cl, packed as scalars of the plan's precision.
struct LevelScalars {
    Bytes bias;
    Bytes restore;
};

/// Scalars in the longer of the two arrays, at most.
[[nodiscard]] constexpr std::uint64_t max_levels(int channels)
{
    const auto count = static_cast<std::uint64_t>(channels);
    return LEVELS(count);
}

/// Bytes from one image's array to that of the next image of a launch.
[[nodiscard]] std::uint64_t level_bytes(const Problem& problem);

/// The factor that undoes the scale of a method's transforms: 1 over the padded samples, and 1/2 for each of the two
/// splits (image and PSF) of three launches. It is 1 for direct sums.
[[nodiscard]] double result_scale(const Plan& plan);

/// Properties of an image that are not part of its problem.
struct ImageLevels {
    const std::vector<double>& bias;  ///< bias_of() the image
    double magnitude = 1;             ///< largest_magnitude() of the image; used for half only
    int alpha_channel = -1;
    const SampleFacts* facts = nullptr;   ///< of its samples; none: nothing is known
    const PsfSupport* support = nullptr;  ///< of the PSF; set if `facts` is
};
[[nodiscard]] LevelScalars level_scalars(const Plan& plan, const ImageLevels& image, const PreparedPsf& psf,
                                         const Blending& blending = {});

/// The lower bound of results of which nothing is known. Not the lowest number: results below it would become that
/// number and look like others.
inline constexpr double kNoMinimum = -std::numeric_limits<double>::infinity();

/// What the arrays hold before blends and highlights.
struct SimpleLevels {
    std::vector<double> subtracted;  ///< [channels]
    double sample_scale = 1;         ///< of what is left
    std::vector<double> restored;    ///< [channels]
    std::vector<double> scales;      ///< [channels], of the results before that
    std::vector<double> minimum;     ///< [channels], a lower bound of the results
};
/// The minimum possible result of each channel, before a blend or an offset. If the PSF has no negative weight, this is
/// `restored`, the result far outside, if the border is empty and no sample is less than the bias; or 0, if image and
/// border have no negative values. Otherwise it is kNoMinimum.
[[nodiscard]] std::vector<double> min_results(const Problem& problem, const ImageLevels& image,
                                              const std::vector<double>& restored);
[[nodiscard]] LevelScalars with_blend(SimpleLevels levels, const Problem& problem, const ImageLevels& image,
                                      const Blending& blending);

}  // namespace clconv
