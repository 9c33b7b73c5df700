// SPDX-License-Identifier: Apache-2.0
// The programs of a plan: which kernel files, with which defines. Pure, so that programs can be listed and counted
// without a device, and built in advance.
//
// A program fixes what its speed depends on: method, line lengths, radices, work-groups, sample types, channels.
// Everything else is an argument (passes/sizes.h), unless the plan has special programs.
// docs/decisions/012-sizes-as-arguments.md
#pragma once

#include "opencl/recipe.h"
#include "plan/plan.h"

#include <complex>
#include <vector>

namespace clconv {

/// The programs that make_engine() builds for a plan. Those that take the longest to build come first.
[[nodiscard]] std::vector<Recipe> recipes_of(const Plan& plan, const DeviceTraits& traits);

/// Plans of the fft method, residence local: rows, rows back, columns. General programs contain both directions of rows
/// if these are alike; the two recipes are then the same.
[[nodiscard]] bool rows_are_one_program(const Plan& plan);

/// Whether the columns' kernel has a table of the image rows at its positions, for the border.
[[nodiscard]] bool has_row_table(const Plan& plan);
[[nodiscard]] Recipe local_rows_recipe(const Plan& plan, const DeviceTraits& traits);
[[nodiscard]] Recipe local_rows_back_recipe(const Plan& plan, const DeviceTraits& traits);
[[nodiscard]] Recipe local_columns_recipe(const Plan& plan, const DeviceTraits& traits);

/// fft: lines owned by work-items.
[[nodiscard]] Recipe lane_rows_recipe(const Plan& plan);
[[nodiscard]] Recipe lane_columns_recipe(const Plan& plan);

/// What the steps of Richardson-Lucy between two convolutions know when they are compiled (kernels/iteration.cl).
struct StepShape {
    bool weighted = false;   ///< each sample of the data has a weight
    bool unbounded = false;  ///< data, estimates and ratios may be negative
};
[[nodiscard]] std::string step_defines(const StepShape& shape);
[[nodiscard]] std::string step_words(const StepShape& shape);
/// Such a step in rows, of lines that work-groups share, and that work-items own. General programs.
[[nodiscard]] Recipe local_step_recipe(const Plan& plan, const StepShape& shape, const DeviceTraits& traits);
[[nodiscard]] Recipe lane_step_recipe(const Plan& plan, const StepShape& shape);

/// fft: residence global: the ends of the passes, and one radix stage.
[[nodiscard]] Recipe global_rows_recipe(const Plan& plan);
[[nodiscard]] Recipe global_columns_recipe(const Plan& plan);
[[nodiscard]] Recipe global_stage_recipe(int radix, Butterflies butterflies, Precision precision);

/// The forward twiddles of columns of residence local. The inverse ones follow them in the same buffer.
[[nodiscard]] std::vector<std::complex<double>> column_twiddles(const LinePlan& columns);

/// The tables of twiddles of a tile that a work-group shares, one after another in one buffer.
struct TileTable {
    char axis = 'X';
    bool is_back = false;      ///< of the stages in reversed order
    std::vector<int> radices;  ///< in the order of the table
};
[[nodiscard]] std::vector<TileTable> tile_tables(const TilePlan& tiles);

/// Plans of the tiled and of the direct method.
[[nodiscard]] Recipe tiled_recipe(const Plan& plan, const DeviceTraits& traits);
[[nodiscard]] Recipe direct_recipe(const Plan& plan, const DeviceTraits& traits);

}  // namespace clconv
