// SPDX-License-Identifier: Apache-2.0
// The rows of a GPU's steps between a convolution and its adjoint (passes/convolution_chain.h), as they were measured.
//
// A step transforms a line twice and reads planes between. The registers that this takes decide, and the model of
// gpu_cost.h, which knows passes with one transform, misjudges lines by up to 30 % here.
#pragma once

#include "base/device_traits.h"
#include "conv/problem.h"

#include <optional>
#include <vector>

namespace clconv {

/// Floats. One line a work-group.
struct StepLine {
    std::vector<int> radices;  ///< first stage first
    int items = 0;             ///< work-items
};

/// The rows for a problem that alternates. None for other problems, for doubles and halves, and where no measured line
/// is long enough and at most an eighth too long.
[[nodiscard]] std::optional<StepLine> step_rows(const Problem& problem, const DeviceTraits& traits);

/// The lengths of all measured lines, ascending.
[[nodiscard]] std::vector<int> step_lengths();

}  // namespace clconv
