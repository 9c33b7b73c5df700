// SPDX-License-Identifier: Apache-2.0
// The planner's costs: measured constants, in units of one arithmetic instruction per value.
#pragma once

#include "base/device_traits.h"
#include "plan/decisions.h"

namespace clconv {

/// One stage of a line, per value: its butterflies' arithmetic and the exchange before it.
[[nodiscard]] double stage_cost(int radix, Residence residence);

/// The same if a work-item owns whole lines, side by side: no exchange, but a walk through local memory.
[[nodiscard]] double lane_stage_cost(int radix);

/// One stage of a tile, per complex value: its butterflies' arithmetic and its exchange, whole or in parts.
[[nodiscard]] double tile_stage_cost(int radix, bool split, const DeviceTraits& traits);

/// One result sample by the direct method: `taps` samples of the PSF, written out or in loops.
[[nodiscard]] double direct_cost(double taps, bool unrolled, const DeviceTraits& traits);

/// Memory traffic of a method of one launch, per result sample.
[[nodiscard]] double launch_cost(const DeviceTraits& traits);

/// A step between a convolution and its adjoint (Problem::alternates) as a pass of its own on a CPU, per result sample:
/// it loads and stores the result, and two planes besides.
[[nodiscard]] double step_cost();

/// Memory traffic of the three passes, per padded sample. `spectra`: bytes between the passes, of all channels.
[[nodiscard]] double pass_cost(double spectra, const DeviceTraits& traits);

}  // namespace clconv
