// SPDX-License-Identifier: Apache-2.0
// The line of one axis: its length and radices.
#pragma once

#include "conv/axis.h"
#include "plan/decisions.h"
#include "plan/plan.h"

#include <string_view>
#include <vector>

namespace clconv {

/// An axis with its final length, and the radices of that length.
struct PaddedLine {
    Axis axis;
    std::vector<int> radices;
    double cost = 0;  ///< of a whole line
};

/// The cheapest line for one axis with the requested radices. Throws InvalidProblem with --radix-`name` if no such line
/// is long enough.
[[nodiscard]] PaddedLine padded_line(const AxisProblem& problem, const RadixRequest& request,
                                     const Decisions& decisions, std::string_view name, Residence residence);

}  // namespace clconv
