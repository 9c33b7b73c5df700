// The menu of a GPU: the lengths of lines that are used where nobody asks for others, one program each.
//
// A GPU's program knows its line's length, radices and work-items, and takes its compiler half a second to a second. So
// images of any sizes share a ladder of lengths: the next one that is long enough, which costs 7 % of a line's time on
// the average (by the model of gpu_cost.h, sizes of 64 to 6000). Rows there and back are one program, and all plans of
// the menu lay out the intermediate alike, so that rows of any length go with columns of any length.
#pragma once

#include "conv/problem.h"
#include "plan/decisions.h"
#include "plan/device_traits.h"

#include <optional>
#include <span>

namespace clconv {

/// Ascending. A step is at most 12 % from the first length above 512 on (672 of rows, 648 of columns); below, where a
/// step is up to a half, a pass costs what its launch costs.
[[nodiscard]] std::span<const int> gpu_menu_lengths(bool columns);

/// The decisions of the menu's plan. None if a line would be longer than all of the menu's, or does not fit the device.
[[nodiscard]] std::optional<Decisions> gpu_menu_decisions(const Problem& problem, const DeviceTraits& traits,
                                                          const Decisions& asked);

}  // namespace clconv
