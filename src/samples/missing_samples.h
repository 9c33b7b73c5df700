// Samples that are not finite taken as missing: `--nonfinite interpolate`.
//
// Where samples are missing, the others' weights are all that counts: the sum over the known samples, divided by the
// sum of the weights that met one, times the PSF's sum. What the border says of the image outside its data it also says
// of which samples are known; zero and constant are known values. This is astropy.convolution's
// nan_treatment='interpolate'.
#pragma once

#include "conv/border.h"
#include "engine/convolver.h"
#include "psf/psf.h"

#include <span>
#include <string>
#include <vector>

namespace clconv {

/// An image with gaps, as two that can be convolved.
struct MissingSamples {
    Bytes filled;  ///< the image, 0 where a sample is missing
    Bytes mask;    ///< u8: 255 where a sample is missing, 0 elsewhere
};
[[nodiscard]] MissingSamples missing_samples(const ImageView& image);

/// The settings for convolving the mask of images that are convolved with `settings`: outside is nothing missing where
/// the border is a known value, and half is not enough for what results are divided by.
[[nodiscard]] ConvolveSettings mask_settings(const ConvolveSettings& settings);

/// What divides the convolution of the known samples.
struct KnownWeights {
    std::vector<double> sums;   ///< [psf channel] the weight where nothing is missing
    std::vector<double> least;  ///< [psf channel] below this nothing is known

    /// Divides `samples`, the convolution of MissingSamples::filled, given that of the mask; both [pixel][channel].
    /// NaN where no sample of any weight was known.
    void divide(std::span<float> samples, std::span<const float> mask, int channels) const;
};

/// For images of `channels`, of which `alpha_channel` (-1: none) is alpha. Throws InvalidProblem naming a PSF that has
/// no sum.
[[nodiscard]] KnownWeights known_weights(const Psf& psf, int channels, int alpha_channel, Border border);

}  // namespace clconv
