// SPDX-License-Identifier: Apache-2.0
// How the search for a GPU's plan (plan/gpu_decisions.h) groups lines and cuts columns.
#pragma once

#include "conv/problem.h"
#include "plan/decisions.h"

#include <span>
#include <vector>

namespace clconv {

/// How many lines work-groups have, and columns the intermediate's bundles.
struct Grouping {
    int row_lines;       ///< pairs of rows a work-group of the row passes
    int bundle_columns;  ///< columns that lie side by side
    int column_lines;    ///< columns a work-group of the column pass
};
[[nodiscard]] std::span<const Grouping> gpu_groupings();

/// Like the grouping before it, but with half the columns a work-group. No pass of 120 lengths was fastest with it on
/// an NVIDIA H100 (2026-11-26), so it is not measured where the other fits.
[[nodiscard]] bool is_narrow(const Grouping& grouping);

/// The groupings to try. A requested grouping that is not among them is the only one.
[[nodiscard]] std::vector<Grouping> groupings_for(const Decisions& requested);

/// The least length of a part of a column.
inline constexpr int kMinPart = 768;

/// The numbers of parts of a column to try, 1 first. A requested number is the only one.
[[nodiscard]] std::vector<int> column_parts(const Problem& problem, const Decisions& requested);

/// What columns in so many parts cost over as many lines of their length in place: they go to another buffer.
[[nodiscard]] inline double burden_of(int parts) { return parts > 1 ? 1.05 : 1; }

/// Why a problem's columns cannot be in parts with these decisions; empty if they can.
[[nodiscard]] std::string_view no_parts_because(const Problem& problem, const Decisions& requested);

}  // namespace clconv
