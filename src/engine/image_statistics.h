// SPDX-License-Identifier: Apache-2.0
// Statistics of an image that a deconvolution needs before it begins: noise, dark level, share of clipped samples.
#pragma once

#include "base/image_view.h"

#include <limits>
#include <span>
#include <vector>

namespace clconv {

/// Statistics of some thousand evenly spread windows of all channels but alpha, in light if the image is convolved in
/// light.
struct ImageStatistics {
    double mean = 0;
    double variance = 0;
    double noise = 0;    ///< standard deviation, if it is white: J. Immerkaer, Fast Noise Variance Estimation (1996)
    double dark = 0;     ///< the median of the darkest tenth
    double clipped = 0;  ///< the share of samples of integers that have the largest code
};

/// The same image always has the same statistics. Windows with samples that are not finite are left out.
[[nodiscard]] ImageStatistics statistics_of(const ImageView& image);

/// Which samples of an image are data of a deconvolution, and with which weight.
struct CountedSamples {
    std::span<const float> shares = {};                      ///< of its colours in a datum; none: each is one
    float maximum = std::numeric_limits<float>::infinity();  ///< data with a sample of that or more do not count
    const std::vector<float>* weights = nullptr;             ///< [y][x]; null: 1
};
/// [planes], the weighted means of the data in light, negative samples as 0. Data that are not finite do not count.
[[nodiscard]] std::vector<double> means_of_data(const ImageView& image, const CountedSamples& counted);

/// Whether a datum counts with a weight above 0.
[[nodiscard]] bool has_data(const ImageView& image, const CountedSamples& counted);

/// The mean weight of some thousand evenly spread data; those that do not count have the weight 0.
[[nodiscard]] double mean_weight(const ImageView& image, const CountedSamples& counted);

/// The mean I-divergence of the image from what it would be without noise.
[[nodiscard]] double residual_of_noise(const ImageStatistics& image);

/// The power of the noise over that of the image, rounded to 1, 2 or 5 times a power of ten, so that images of a batch
/// share transfers.
[[nodiscard]] double noise_to_signal(const ImageStatistics& image);

}  // namespace clconv
