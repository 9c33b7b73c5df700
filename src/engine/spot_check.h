// SPDX-License-Identifier: Apache-2.0
// Compares a result with direct sums in double at a few points, to see whether the device computed correctly.
//
// The work is bounded: some dozen points, fewer for large PSFs. Like those of a transform, errors are relative to the
// largest possible sample. Rounding stays a hundred times below the allowed error. A wrong index or sign is far above
// it, wherever the image has content. An image without content (black, one colour) proves nothing.
#pragma once

#include "conv/problem.h"
#include "passes/blending.h"
#include "psf/psf.h"

#include <cstddef>
#include <span>
#include <string>

namespace clconv {

/// A finished convolution. All samples are interleaved.
struct DoneWork {
    const Problem& problem;
    const Psf& psf;           ///< of problem.psf_channels channels
    const std::byte* image;   ///< of problem.input
    const std::byte* result;  ///< of problem.output
    /// [channels]. With a border without values, the bias is the value outside; see passes/bias.h.
    std::span<const double> bias;
    /// [psf channels][output], the divisor of renormalize. If empty, the coverage of the problem itself.
    std::span<const double> coverage = {};
    const Blending* blending = nullptr;  ///< of problem.blend
    int alpha_channel = -1;
    std::span<const double> mask = {};  ///< [output], of a masked blend; if empty, the blend's own
};

enum class Verdict { right, wrong, undecided };

struct SpotCheck {
    Verdict verdict = Verdict::undecided;
    int points = 0;
    double error = 0;  ///< the largest, as a share of the allowed error
    std::string what;  ///< the error in words: where, the value found and the value wanted
};

[[nodiscard]] SpotCheck spot_check(const DoneWork& work);

}  // namespace clconv
