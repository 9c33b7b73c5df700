// The planner's choice for a GPU whose work-groups share lines: radices, work-items and the intermediate's tiles, by
// searching all good lengths and factorizations with the model of gpu_cost.h.
#pragma once

#include "conv/axis.h"
#include "conv/decisions.h"
#include "conv/device_traits.h"
#include "conv/problem.h"

#include <optional>

namespace clconv {

/// `asked`, with radix sequences, work-items, lines a work-group and tile columns filled in where they are open.
/// None if some line fits no work-group, or if the radices that are asked for have no line of at most four stages.
[[nodiscard]] std::optional<Decisions> gpu_decisions(const Problem& problem, const DeviceTraits& traits,
                                                     const Decisions& asked);

}  // namespace clconv
