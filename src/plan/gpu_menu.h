// SPDX-License-Identifier: Apache-2.0
// The menu of a GPU: the lengths of lines that are used by default, with one program each.
//
// A GPU's program fixes its line's length, radices and work-items, and takes half a second to a second to compile. So
// images of any size share a ladder of lengths. A line uses the next length that is long enough, which costs 7 % of its
// time on average (by the model of gpu_cost.h, sizes of 64 to 6000). Rows and rows back are one program. All plans of
// the menu have the same layout of the intermediate, so rows of any length go with columns of any length.
// docs/decisions/012-sizes-as-arguments.md
#pragma once

#include "base/device_traits.h"
#include "conv/axis.h"
#include "conv/problem.h"
#include "plan/decisions.h"
#include "plan/gpu_decisions.h"

#include <optional>
#include <span>

namespace clconv {

/// Ascending. A step is at most 12 % from the first length above 512 on (672 of rows, 648 of columns). Below, steps are
/// up to a half, because the launch dominates the cost of a pass.
[[nodiscard]] std::span<const int> gpu_menu_lengths(bool columns);

/// Those of columns that may be parts.
[[nodiscard]] std::span<const int> gpu_menu_part_lengths();

/// The length that a line of this axis needs. With wrap, a period that is on the menu needs no padding.
[[nodiscard]] int gpu_menu_minimum(const AxisProblem& axis, bool columns);

/// `requested`, with these two lines of the menu, and columns in so many parts.
[[nodiscard]] Decisions menu_decisions(const MenuLine& rows, const MenuLine& columns, const Decisions& requested,
                                       int parts = 1);

/// The decisions of the menu's plan. None if a line would be longer than those of the menu, or does not fit the device.
[[nodiscard]] std::optional<Decisions> gpu_menu_decisions(const Problem& problem, const DeviceTraits& traits,
                                                          const Decisions& requested);

}  // namespace clconv
