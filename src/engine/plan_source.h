// Who chooses the plan of a problem: the planner alone, or with the help of what was measured (src/records).
#pragma once

#include "opencl/device.h"
#include "plan/plan.h"

#include <functional>
#include <string>

namespace clconv {

struct ChosenPlan {
    Plan plan;
    std::string origin = "heuristic";  ///< in a few words: where its decisions come from
    bool measured = false;             ///< from a record: if it fails, the planner's own plan is to be tried
};

/// describe() of the plan, and a line that says where its decisions come from.
[[nodiscard]] inline std::string describe(const ChosenPlan& chosen)
{
    return describe(chosen.plan) + "  chosen   by " + chosen.origin + "\n";
}

/// `forced` wins over everything. Throws as make_plan() does, and only for what the problem or `forced` ask.
using PlanSource = std::function<ChosenPlan(const Problem&, const DeviceInfo&, const Decisions& forced)>;

/// The planner alone.
[[nodiscard]] inline ChosenPlan heuristic_plan(const Problem& problem, const DeviceInfo& device,
                                               const Decisions& forced)
{
    return {make_plan(problem, device.traits, forced)};
}

}  // namespace clconv
