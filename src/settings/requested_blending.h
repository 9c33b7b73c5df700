// SPDX-License-Identifier: Apache-2.0
// The blending that options request, without its mask.
#pragma once

#include "passes/blending.h"
#include "psf/psf.h"
#include "settings/blend_options.h"
#include "settings/problem_options.h"

#include <functional>
#include <string>

namespace clconv {

/// Throws InvalidProblem for a tint that is none.
[[nodiscard]] Blending bloom_blending(const BloomOptions& options);
[[nodiscard]] Blending mix_blending(const BlendOptions& options);

/// Throws InvalidProblem if `blending` cannot be combined with other options. `command`: "bloom" or another.
void check_blend(const Blending& blending, const std::string& command, const ProblemOptions& problem,
                 NonFiniteRule nonfinite);

/// The PSF for an image of this shorter side.
using PsfFit = std::function<Psf(const Psf& psf, int shorter_side)>;

/// How the PSFs of a bloom follow the image's shorter side; nothing if they do not.
[[nodiscard]] PsfFit bloom_fit(const BloomOptions& options);

}  // namespace clconv
