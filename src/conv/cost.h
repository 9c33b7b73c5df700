// What the planner thinks things cost: measured constants, in units of one arithmetic instruction per value.
#pragma once

#include "conv/decisions.h"
#include "conv/device_traits.h"

namespace clconv {

/// One stage of a line, per value: its butterflies' arithmetic and the exchange before it.
[[nodiscard]] double stage_cost(int radix, Residence residence);

/// The same where a work-item owns eight whole lines: no exchange, but a walk through local memory.
[[nodiscard]] double lane_stage_cost(int radix);

/// One result sample by the direct method, per PSF sample, on such a device.
[[nodiscard]] double direct_cost_per_tap(const DeviceTraits& traits);

/// Memory traffic of the three passes, per padded sample, on such a device.
[[nodiscard]] double pass_cost(const DeviceTraits& traits);

}  // namespace clconv
