// SPDX-License-Identifier: Apache-2.0
// The plan of a CPU: work-items that own eight whole lines, side by side in vectors.
// docs/decisions/011-lanes-on-cpus.md
#pragma once

#include "plan/plan_fft.h"

#include <optional>

namespace clconv {

/// Everything except `planes`. None if the requested radices are impossible for such lines, or if the rows do not fit
/// local memory. Columns that do not are long_columns.
[[nodiscard]] std::optional<FftPlan> plan_lanes(const Problem& problem, const DeviceTraits& traits,
                                                const Decisions& decisions);

}  // namespace clconv
