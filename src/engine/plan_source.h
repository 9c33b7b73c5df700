// SPDX-License-Identifier: Apache-2.0
// How the plan of a problem is chosen: by the planner alone, or with the help of records (src/plan_records).
#pragma once

#include "opencl/device.h"
#include "plan/plan.h"

#include <functional>
#include <string>

namespace clconv {

struct ChosenPlan {
    Plan plan;
    std::string origin = "heuristic";  ///< where its decisions come from, in a few words
    bool measured = false;             ///< from a record; if it fails, the planner's own plan is tried
};

/// describe() of the plan, and a line that says where its decisions come from.
[[nodiscard]] inline std::string describe(const ChosenPlan& chosen)
{
    return describe(chosen.plan) + "  chosen   by " + chosen.origin + "\n";
}

/// `forced` overrides everything. Throws as make_plan() does, and only because of the problem or `forced`.
using PlanSource = std::function<ChosenPlan(const Problem&, const DeviceInfo&, const Decisions& forced)>;

/// The planner alone.
[[nodiscard]] inline ChosenPlan heuristic_plan(const Problem& problem, const DeviceInfo& device,
                                               const Decisions& forced)
{
    return {make_plan(problem, device.traits, forced)};
}

}  // namespace clconv
