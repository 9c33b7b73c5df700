// SPDX-License-Identifier: Apache-2.0
// Random images and PSFs for measurements, and the check of a result. Never zeros, which are faster than real data.
#pragma once

#include "base/bytes.h"
#include "conv/problem.h"
#include "psf/psf.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace clconv {

struct RandomWork {
    Bytes image;  ///< of the problem's input type, uniform in [0, 1); repeated after some million samples
    Psf psf;      ///< positive, asymmetric, each channel's sum 1
};
[[nodiscard]] RandomWork random_work(const Problem& problem);

/// The expected values of a result at the corners and at some hundred random pixels: direct double sums. The border
/// constant is 0.
struct ReferenceSamples {
    std::vector<Position> positions;
    std::vector<double> values;  ///< [position][channel]

    /// Calls read(first, count) for the samples of a result of `problem` that relative_error() looks at: numbers of
    /// samples that are side by side.
    void for_each_run(const Problem& problem, const std::function<void(std::size_t, std::size_t)>& read) const;
};
[[nodiscard]] ReferenceSamples reference_samples(const Problem& problem, const RandomWork& work);

/// Relative L2 error of a result of the problem's output type over the reference's samples. For integers, it includes
/// rounding to half a code.
[[nodiscard]] double relative_error(const Problem& problem, const ReferenceSamples& reference, const Bytes& result);

/// Relative L2 error over the corners and some hundred random pixels of a result of the problem's output type, against
/// direct double sums. For integers, it includes rounding to half a code. The border constant is 0.
[[nodiscard]] double relative_error(const Problem& problem, const RandomWork& work, const Bytes& result);

}  // namespace clconv
