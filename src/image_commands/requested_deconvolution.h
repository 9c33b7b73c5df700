// SPDX-License-Identifier: Apache-2.0
// The work that options of `deconvolve` request.
#pragma once

#include "image_options/run_options.h"
#include "settings/deconvolve_options.h"

namespace clconv {

/// Puts the work and the border into `run`. Throws InvalidProblem for options of another method.
void apply(const DeconvolveOptions& options, RunOptions& run);

}  // namespace clconv
