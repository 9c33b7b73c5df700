// What the benchmark measures: a problem, and what is forced about its plan.
#pragma once

#include "conv/problem.h"
#include "engine/plan_source.h"
#include "plan/decisions.h"

namespace clconv {

struct BenchCase {
    Problem problem;
    Decisions decisions;
    PlanSource plans = heuristic_plan;
};

}  // namespace clconv
