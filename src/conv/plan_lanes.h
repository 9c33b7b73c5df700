// The plan of a CPU: work-items that own whole lines, eight side by side in vectors.
#pragma once

#include "conv/plan.h"

#include <optional>

namespace clconv {

/// Axes and radices of both passes; the last radix of the rows is the step across the lanes.
struct LanePlan {
    Axis x;
    Axis y;
    std::vector<int> row_radices;
    std::vector<int> column_radices;
};

/// None if radices are asked for that such lines do not have, or if the lines do not fit local memory.
[[nodiscard]] std::optional<LanePlan> plan_lanes(const Problem& problem, const DeviceTraits& traits,
                                                 const Decisions& decisions);

}  // namespace clconv
