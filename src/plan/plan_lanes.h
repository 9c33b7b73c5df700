// SPDX-License-Identifier: Apache-2.0
// The plan of a CPU: work-items that own whole lines, side by side in vectors: eight rows, and eight or sixteen
// columns. docs/decisions/011-lanes-on-cpus.md, 064-sixteen-lanes.md
#pragma once

#include "plan/plan_fft.h"

#include <optional>

namespace clconv {

/// The lanes of columns and tiles on this device: as many as its vectors have floats. 1: no CPU, work-items share
/// lines.
[[nodiscard]] int lanes_of(const DeviceTraits& traits);

/// Pairs of rows in the intermediate that hold so many rows. Odd, because bundles at a distance of a power of two would
/// share sets of a cache.
[[nodiscard]] int lane_packs(int rows);

/// Everything except `planes`. None if the requested radices are impossible for such lines, or if the rows do not fit
/// local memory. Columns are in the cheapest number of parts; those that do not fit are long_columns.
[[nodiscard]] std::optional<FftPlan> plan_lanes(const Problem& problem, const DeviceTraits& traits,
                                                const Decisions& decisions);

}  // namespace clconv
