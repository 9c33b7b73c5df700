// SPDX-License-Identifier: Apache-2.0
// Which plans of an item of the menu are measured first: those whose passes are fast on a related device.
//
// Pure. GPUs of one maker agree on which shapes of a length are fast, far better than the model does. So a search that
// ends early has the passes that plans will use, and the rest of the menu shows where this device differs.
#pragma once

#include "plan/pass_costs.h"
#include "plan/plan.h"

#include <vector>

namespace clconv {

/// Plans of one item, without those that come later: the first plan, and as few others as have all passes that
/// `related` has measured to be among the fastest of their kind, or of whose length it knows nothing. In the same
/// order.
[[nodiscard]] std::vector<Plan> promising(const std::vector<Plan>& plans, const PassCosts& related);

}  // namespace clconv
