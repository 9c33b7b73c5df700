// SPDX-License-Identifier: Apache-2.0
// The decisions of a plan whose passes were measured: the cheapest sum over rows, columns and rows back, lengths
// included.
#pragma once

#include "plan/pass_costs.h"
#include "plan/plan.h"

#include <optional>

namespace clconv {

/// `requested`, with the decisions of the cheapest passes; programs serve as many sizes as without them. None if
/// nothing was measured that could serve, if shapes are decided, or if the planner's plan is not of the fft method.
/// `planned`: that plan, of the same arguments.
[[nodiscard]] std::optional<Decisions> measured_decisions(const Plan& planned, const DeviceTraits& traits,
                                                          const Decisions& requested, const PassCosts& costs);

}  // namespace clconv
