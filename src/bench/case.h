// SPDX-License-Identifier: Apache-2.0
// What the benchmark measures: a problem, and the decisions that are forced.
#pragma once

#include "conv/problem.h"
#include "engine/plan_source.h"
#include "plan/decisions.h"

namespace clconv {

struct BenchCase {
    Problem problem;
    Decisions decisions;
    PlanSource plans = heuristic_plan;
    int queues = 1;  ///< that images are enqueued on at the same time, Device::queues() at most
    int images = 1;  ///< of each launch; more than one where can_share_launches()
};

}  // namespace clconv
