// SPDX-License-Identifier: Apache-2.0
// The blending that options of `run` and `bloom` request.
#pragma once

#include "image_options/run_options.h"
#include "passes/blending.h"

namespace clconv {

/// Reads the mask. Throws InvalidProblem.
[[nodiscard]] Blending blending_of(const RunOptions& options);

}  // namespace clconv
