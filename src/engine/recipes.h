// The programs of a plan: which kernel files, with which defines. Pure, so that programs can be listed, counted and
// built before there is a device to run them.
//
// A program depends on what its speed depends on: method, line lengths, radices, work-groups, sample types, channels.
// Everything else is an argument (engine/sizes.h), unless the plan asks for special programs.
#pragma once

#include "opencl/recipe.h"
#include "plan/plan.h"

#include <complex>
#include <vector>

namespace clconv {

/// The programs that make_engine() builds for a plan; first what takes longest to build.
[[nodiscard]] std::vector<Recipe> recipes_of(const Plan& plan, const DeviceTraits& traits);

/// Plans of the fft method, residence local: rows there, rows back, columns. General programs hold both directions
/// where these are alike: the two recipes are one then.
[[nodiscard]] bool rows_are_one_program(const Plan& plan);
[[nodiscard]] Recipe local_rows_recipe(const Plan& plan, const DeviceTraits& traits);
[[nodiscard]] Recipe local_rows_back_recipe(const Plan& plan, const DeviceTraits& traits);
[[nodiscard]] Recipe local_columns_recipe(const Plan& plan, const DeviceTraits& traits);

/// fft: lines owned by work-items.
[[nodiscard]] Recipe lane_rows_recipe(const Plan& plan);
[[nodiscard]] Recipe lane_columns_recipe(const Plan& plan);

/// fft: residence global: the ends of the passes, and one radix stage.
[[nodiscard]] Recipe global_rows_recipe(const Plan& plan);
[[nodiscard]] Recipe global_columns_recipe(const Plan& plan);
[[nodiscard]] Recipe global_stage_recipe(int radix, Butterflies butterflies, Precision precision);

/// The twiddles of columns of residence local, there; those back follow them in one buffer.
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
