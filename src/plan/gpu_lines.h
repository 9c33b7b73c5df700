// SPDX-License-Identifier: Apache-2.0
// The lines among which the search for a GPU's plan chooses.
#pragma once

#include "conv/axis.h"
#include "conv/precision.h"
#include "plan/decisions.h"

#include <map>
#include <vector>

namespace clconv {

/// All non-increasing sequences of at most four radices with a product from `minimum` to `maximum`.
[[nodiscard]] std::vector<std::vector<int>> descending_sequences(const std::vector<int>& radices, int minimum,
                                                                 int maximum);

/// The radices that a work-item computes in registers, up to `largest`.
[[nodiscard]] std::vector<int> straight_radices(int largest);

/// The lines that an axis may have: sequences in the requested order, else descending; or the requested sequence
/// unchanged.
[[nodiscard]] std::vector<std::vector<int>> sequences_of(const AxisProblem& axis, const RadixRequest& request,
                                                         const Decisions& requested);

/// Whether rows, or columns, of these radices are what is requested.
[[nodiscard]] bool admits(const Decisions& requested, bool columns, const std::vector<int>& radices);

/// The model's time of a line of each length that has radices, up to `longest`.
[[nodiscard]] std::map<int, double> gpu_line_costs(bool columns, int longest, Precision precision);

}  // namespace clconv
