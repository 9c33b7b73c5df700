// A result compared with direct sums in double at a few points: whether the device computed what it should have.
//
// Bounded work: some dozen points, fewer for large PSFs. Errors are measured by the largest sample that the image can
// bring, as those of a transform are: rounding stays a hundred times below what is allowed, a wrong index or sign goes
// far beyond wherever the image has content. An image without content (black, one colour) shows nothing.
#pragma once

#include "conv/problem.h"
#include "engine/blending.h"
#include "psf/psf.h"

#include <cstddef>
#include <span>
#include <string>

namespace clconv {

/// A convolution that was done; all samples interleaved.
struct DoneWork {
    const Problem& problem;
    const Psf& psf;           ///< of problem.psf_channels channels
    const std::byte* image;   ///< of problem.input
    const std::byte* result;  ///< of problem.output
    /// [channels]. Outside a border without values stands the bias, as in engine/bias.h.
    std::span<const float> bias;
    /// [psf channels][output], what renormalize divides by; empty: the coverage of the problem itself.
    std::span<const double> coverage = {};
    const Blending* blending = nullptr;  ///< of problem.blend
    int alpha_channel = -1;
    std::span<const double> mask = {};  ///< [output], of a masked blend; empty: the blend's own
};

enum class Verdict { right, wrong, undecided };

struct SpotCheck {
    Verdict verdict = Verdict::undecided;
    int points = 0;
    double error = 0;  ///< the largest, as a part of what is allowed
    std::string what;  ///< that is wrong: where, what was found and what was wanted
};

[[nodiscard]] SpotCheck spot_check(const DoneWork& work);

}  // namespace clconv
