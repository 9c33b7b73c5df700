// SPDX-License-Identifier: Apache-2.0
// The planner's choice for a GPU whose work-groups share lines: radices, work-items and the intermediate's bundles, by
// searching all good lengths and factorizations with the model of gpu_cost.h.
#pragma once

#include "base/device_traits.h"
#include "conv/axis.h"
#include "conv/problem.h"
#include "plan/decisions.h"
#include "plan/pass_costs.h"

#include <optional>
#include <vector>

namespace clconv {

struct MeasuredPasses {
    const PassCosts& costs;
    Extent planned;  ///< the lengths that the model alone would choose
};

/// `requested`, with open radix sequences, work-items, lines a work-group and columns of a bundle filled in. None if
/// some line fits no work-group, or if the requested radices have no line of at most four stages. `measured`:
/// passes whose lines are candidates too; null: the model alone.
[[nodiscard]] std::optional<Decisions> gpu_decisions(const Problem& problem, const DeviceTraits& traits,
                                                     const Decisions& requested,
                                                     const MeasuredPasses* measured = nullptr);

/// Columns that are side by side in the intermediate of every plan of the menu (plan/gpu_menu.h).
inline constexpr int kMenuBundleColumns = 4;

/// A line of the menu. Its shape depends only on its length, so images of many sizes share its program.
struct MenuLine {
    std::vector<int> radices;
    int items = 0;  ///< work-items a line
    int lines = 1;  ///< a work-group
    double ns = 0;  ///< the time of a square image of such lines, by the model
};
/// How many shapes of a pass to measure, the best by the model. Lines of columns come in two orders of their radices.
struct ShapeCounts {
    std::size_t rows = 1;           ///< of either row pass
    std::size_t columns = 1;        ///< with the exchange that the planner would choose
    std::size_t split_columns = 0;  ///< exchanged in parts although local memory holds them whole
};
/// The decisions of plans whose lines have just these lengths, in each form of the intermediate: the best shape of each
/// pass with the best, the second with the second, and where there are no more of a pass, its best again. For measuring
/// passes.
[[nodiscard]] std::vector<Decisions> gpu_shapes(const Problem& problem, const DeviceTraits& traits, Extent lengths,
                                                const ShapeCounts& counts);

/// None if no line of this length fits a work-group.
[[nodiscard]] std::optional<MenuLine> gpu_menu_line(int length, bool columns, Precision precision,
                                                    const DeviceTraits& traits);

}  // namespace clconv
