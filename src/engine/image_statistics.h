// SPDX-License-Identifier: Apache-2.0
// Statistics of an image that a deconvolution needs before it begins: noise, dark level, share of clipped samples.
#pragma once

#include "base/image_view.h"

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

/// The power of the noise over that of the image, rounded to 1, 2 or 5 times a power of ten, so that images of a batch
/// share transfers.
[[nodiscard]] double noise_to_signal(const ImageStatistics& image);

}  // namespace clconv
