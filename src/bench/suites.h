// SPDX-License-Identifier: Apache-2.0
// The sizes of the tables in docs/performance.md.
#pragma once

#include "conv/problem.h"

#include <vector>

namespace clconv {

/// Sizes for a GPU: from 1024x1024 gray to 7680x4320 RGB.
[[nodiscard]] std::vector<Problem> standard_suite(const Problem& base);

/// Sizes for a CPU: one plane, from 1024x1024 to 24 megapixels.
[[nodiscard]] std::vector<Problem> plane_suite(const Problem& base);

/// The problem with another size, channel count and PSF, origin in its centre.
[[nodiscard]] Problem resized(Problem base, Extent image, int channels, Extent psf);

}  // namespace clconv
