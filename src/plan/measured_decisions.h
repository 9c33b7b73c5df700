// SPDX-License-Identifier: Apache-2.0
// The decisions of a plan whose passes were measured: the cheapest sum over rows, columns and rows back, lengths
// included.
#pragma once

#include "plan/pass_costs.h"
#include "plan/plan.h"

#include <optional>

namespace clconv {

/// Whether measured passes could speak for a plan of these decisions: work-groups hold its lines. Where shapes are
/// decided, passes rank what is left open, if a GPU's programs are special.
[[nodiscard]] bool may_have_passes(const Plan& planned, const Decisions& requested);

/// `requested`, with the decisions of the cheapest passes; programs serve as many sizes as without them. None if
/// nothing was measured that could serve, or without may_have_passes().
/// `planned`: that plan, of the same arguments.
[[nodiscard]] std::optional<Decisions> measured_decisions(const Plan& planned, const DeviceTraits& traits,
                                                          const Decisions& requested, const PassCosts& costs);

}  // namespace clconv
