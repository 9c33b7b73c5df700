// SPDX-License-Identifier: Apache-2.0
// The blending that options of `run` and `bloom` ask for.
#pragma once

#include "batch/psf_set.h"
#include "image_options/run_options.h"
#include "passes/blending.h"

namespace clconv {

/// Reads the mask. Throws InvalidProblem.
[[nodiscard]] Blending blending_of(const RunOptions& options);

/// How the PSFs of a bloom follow the image's shorter side; nothing if they do not.
[[nodiscard]] PsfSet::Fit bloom_fit(const BloomOptions& options);

}  // namespace clconv
