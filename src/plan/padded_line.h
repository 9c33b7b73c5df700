// The line of one axis: how long it is made, and by which radices.
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

/// The cheapest line for one axis with radices as asked for. Throws InvalidProblem, naming --radix-`name`, if no line
/// of them is long enough.
[[nodiscard]] PaddedLine padded_line(const AxisProblem& problem, const RadixRequest& request,
                                     const Decisions& decisions, std::string_view name, Residence residence);

}  // namespace clconv
