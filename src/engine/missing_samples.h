// SPDX-License-Identifier: Apache-2.0
// Treats samples that are not finite as missing: `--nonfinite interpolate`.
//
// Where samples are missing, only the others count: the sum over the known samples is divided by the sum of their
// weights, and multiplied by the PSF's sum. The border extends known and missing samples as it extends values; zero and
// constant are known values. This is astropy.convolution's nan_treatment='interpolate'.
#pragma once

#include "conv/border.h"
#include "engine/convolver.h"
#include "psf/psf.h"

#include <span>
#include <string>
#include <vector>

namespace clconv {

/// An image with gaps, as two images that can be convolved.
struct MissingSamples {
    Bytes filled;  ///< the image, 0 where a sample is missing
    Bytes mask;    ///< u8: 255 where a sample is missing, 0 elsewhere
};
[[nodiscard]] MissingSamples missing_samples(const ImageView& image);

/// The settings for convolving the mask of images that are convolved with `settings`. If the border is a known value,
/// nothing is missing outside. Half precision is not enough for a divisor, so it is not used.
[[nodiscard]] ConvolveSettings mask_settings(const ConvolveSettings& settings);

/// The divisor for the convolution of the known samples.
struct KnownWeights {
    std::vector<double> sums;     ///< [psf channel] the weight if nothing is missing
    std::vector<double> minimum;  ///< [psf channel] below this weight, a result is unknown

    /// Divides `samples`, the convolution of MissingSamples::filled, given that of the mask; both [pixel][channel].
    /// NaN where no sample of any weight was known.
    void divide(std::span<float> samples, std::span<const float> mask, int channels) const;
};

/// For images of these channels. Throws InvalidProblem for a PSF without a sum.
[[nodiscard]] KnownWeights known_weights(const Psf& psf, const Channels& channels, Border border);

}  // namespace clconv
