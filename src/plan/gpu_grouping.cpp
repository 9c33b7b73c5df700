// SPDX-License-Identifier: Apache-2.0
#include "plan/gpu_grouping.h"

#include "conv/axis.h"

namespace clconv {
namespace {

constexpr Grouping kGroupings[] = {{2, 2, 1}, {1, 4, 2}, {1, 4, 1}, {2, 4, 1}};

bool allowed(const Grouping& grouping, const Decisions& requested)
{
    return requested.rows.lines.value_or(grouping.row_lines) == grouping.row_lines &&
           requested.bundle_columns.value_or(grouping.bundle_columns) == grouping.bundle_columns &&
           requested.columns.lines.value_or(grouping.column_lines) == grouping.column_lines;
}

/// Columns shorter than this stay whole. Those a little longer gained nothing on an NVIDIA H100
/// (docs/decisions/061-columns-in-parts.md).
constexpr int kMinCut = 2048;

}  // namespace

std::span<const Grouping> gpu_groupings() { return kGroupings; }

bool is_narrow(const Grouping& grouping)
{
    return grouping.bundle_columns == 4 && grouping.row_lines == 1 && grouping.column_lines == 1;
}

std::vector<Grouping> groupings_for(const Decisions& requested)
{
    std::vector<Grouping> groupings;
    for (const Grouping& grouping : kGroupings)
        if (allowed(grouping, requested)) groupings.push_back(grouping);
    if (groupings.empty())
        groupings.push_back({requested.rows.lines.value_or(1), requested.bundle_columns.value_or(4),
                             requested.columns.lines.value_or(1)});
    return groupings;
}

std::vector<int> column_parts(const Problem& problem, const Decisions& requested)
{
    if (requested.column_parts) return {*requested.column_parts};
    std::vector<int> found{1};
    if (!requested.radix_y.sequence.empty() || !no_parts_because(problem, requested).empty()) return found;
    AxisProblem along = along_y(problem);
    if (padded_axis(along).length < kMinCut) return found;
    for (const int parts : {2, 3, 4, 6, 8, 12, 16}) {
        along.parts = parts;
        const Axis axis = padded_axis(along);
        // Half of what a part loads is its own, at least.
        if (axis.length >= kMinPart && axis.parts == parts && 2 * axis.part >= axis.length) found.push_back(parts);
    }
    return found;
}

std::string_view no_parts_because(const Problem& problem, const Decisions& requested)
{
    if (problem.support == KernelSupport::infinite) return "the kernel reaches everywhere";
    if (problem.alternates) return "convolutions that alternate keep their columns in place";
    if (requested.residence == Residence::global) return "only columns that a work-group holds can be in parts";
    if (2 * requested.rows.lines.value_or(1) > kPartStep) return "parts would begin within the rows of a work-group";
    if (requested.passes == Passes::separate) return "only columns of one launch can be in parts";
    return "";
}

}  // namespace clconv
