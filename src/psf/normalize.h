// SPDX-License-Identifier: Apache-2.0
// Scales a PSF for `--normalize`.
#pragma once

#include "base/channels.h"
#include "base/names.h"
#include "psf/psf.h"

namespace clconv {

enum class Normalization {
    sum,      ///< each channel's sum becomes 1
    sum_all,  ///< all channels are divided by the mean of their sums: the PSF's colour stays
    peak,     ///< the largest absolute value of all channels becomes 1
    none,
};
template <>
inline constexpr auto kNames<Normalization> = std::to_array<Named<Normalization>>({{"sum", Normalization::sum},
                                                                                   {"sum-all", Normalization::sum_all},
                                                                                   {"peak", Normalization::peak},
                                                                                   {"none", Normalization::none}});

/// Throws InvalidProblem if a weight is NaN or infinite, with their number and the place of the first.
void require_finite(const Psf& psf);

/// The PSF scaled. Sums are taken in double. Throws InvalidProblem, naming the PSF and suggesting
/// `--normalize none`, if a sum that it would divide by is smaller than 1e-6 of the sum of magnitudes
/// (or if the peak is 0), if a weight is not finite or larger than a float can be, and if results would leave the range
/// of float: the magnitudes of the scaled weights sum to more than 1e30.
[[nodiscard]] Psf normalized(Psf psf, Normalization how);

/// The mean of the channels, as one channel.
[[nodiscard]] Psf gray(const Psf& psf);

/// The PSF for an image of these channels. The result has one channel (for all of the image's) or exactly
/// `channels.count`; alpha's is the mean of the colours'. Throws InvalidProblem with both counts if the PSF has neither
/// one channel nor as many as the image has colours.
[[nodiscard]] Psf matched_to_channels(const Psf& psf, const Channels& channels);

/// The PSF rotated by 180 degrees, with its origin. Convolving with it is correlating with `psf`.
[[nodiscard]] Psf flipped(const Psf& psf);

}  // namespace clconv
