// SPDX-License-Identifier: Apache-2.0
#include "plan/decision_table.h"

#include "base/overloaded.h"
#include "plan/decision_row.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>

namespace clconv {
namespace table {
namespace {

// The functions below read the value of a decision from a plan; without a value, the decision stays open.
// docs/architecture.md has the steps to add a row.

/// For requests about radices: a plan has the radices, but not the request.
constexpr auto kNotInPlan = [](const FftPlan& /*plan*/) { return std::nullopt; };

bool work_groups_share(const FftPlan& plan, const LinePlan& pass)
{
    return pass.residence == Residence::local && !plan.by_lanes();
}

ShapeRequest shape_of(const FftPlan& plan, const LinePlan& pass)
{
    if (!work_groups_share(plan, pass)) return {};
    ShapeRequest shape;
    shape.lines = pass.lines;
    shape.items = pass.local.items;
    shape.exchange = pass.local.exchange;
    if (pass.registers > 0) shape.registers = pass.registers;
    return shape;
}

/// The shape of the inverse row pass. It is open if that pass is like the forward one, and so are its radices.
ShapeRequest shape_back_of(const FftPlan& plan)
{
    return plan.rows_back == plan.rows ? ShapeRequest{} : shape_of(plan, plan.rows_back);
}
std::vector<int> radices_back_of(const FftPlan& plan)
{
    return plan.rows_back == plan.rows ? std::vector<int>() : plan.rows_back.radices;
}

/// The residence that rows and columns share; open if they differ.
std::optional<Residence> residence_of(const FftPlan& plan)
{
    if (plan.by_lanes() || plan.rows.residence != plan.columns.residence) return std::nullopt;
    return plan.rows.residence;
}

/// Open if a column is one line.
std::optional<int> parts_of(const FftPlan& plan)
{
    return plan.y.parts > 1 ? std::optional(plan.y.parts) : std::nullopt;
}

std::optional<int> bundle_columns_of(const FftPlan& plan)
{
    if (!work_groups_share(plan, plan.rows)) return std::nullopt;
    return plan.spectrum.bundle_columns / (plan.packing == Packing::channels ? 2 : 1);
}

/// The padding that explains the pads: a constant if all exchanges have the same, else the one for the banks.
std::optional<Padding> padding_of(const FftPlan& plan)
{
    std::vector<int> pads;
    for (const LinePlan* pass : {&plan.rows, &plan.columns, &plan.rows_back}) {
        if (!work_groups_share(plan, *pass)) continue;
        pads.insert(pads.end(), pass->local.pads.begin(), pass->local.pads.end());
        pads.insert(pads.end(), pass->local.back_pads.begin(), pass->local.back_pads.end());
    }
    if (pads.empty()) return std::nullopt;
    const bool alike = std::adjacent_find(pads.begin(), pads.end(), std::not_equal_to<>()) == pads.end();
    return alike ? Padding{pads.front()} : Padding{};
}

constexpr std::array kDecisions = {
    row<OneOf<Method>>(
        "method", "how the convolution is computed", [](auto& d) -> auto& { return d.method; },
        [](const Plan& plan) { return plan.method(); }),
    row<OneOf<Residence>>(
        "residence", "where lines live while they are transformed: a work-group, or global memory",
        [](auto& d) -> auto& { return d.residence; }, [](const FftPlan& plan) { return residence_of(plan); }),
    row<Lanes>(
        "lanes",
        "8, 16: a work-item owns so many whole columns, or tiles in such vectors, and rows in eights (CPUs); 1: "
        "work-items "
        "share lines",
        [](auto& d) -> auto& { return d.lanes; },
        Overloaded{[](const FftPlan& plan) { return plan.lanes; }, [](const TilePlan& plan) { return plan.lanes; }}),
    row<Radices>(
        "row-radices", "stages of the rows", [](auto& d) -> auto& { return d.radix_x.sequence; },
        [](const FftPlan& plan) { return plan.rows.radices; }),
    row<OneRadix>(
        "row-largest", "the largest radix of the rows", [](auto& d) -> auto& { return d.radix_x.largest; }, kNotInPlan),
    row<Count>(
        "row-lines", "pairs of rows a work-group", [](auto& d) -> auto& { return d.rows.lines; },
        [](const FftPlan& plan) { return shape_of(plan, plan.rows).lines; })
        .only_shared(),
    row<Count>(
        "row-items", "work-items a pair of rows", [](auto& d) -> auto& { return d.rows.items; },
        [](const FftPlan& plan) { return shape_of(plan, plan.rows).items; })
        .only_shared(),
    row<OneOf<ExchangeForm>>(
        "row-exchange", "how the rows' values are exchanged in local memory between two stages",
        [](auto& d) -> auto& { return d.rows.exchange; },
        [](const FftPlan& plan) { return shape_of(plan, plan.rows).exchange; })
        .only_shared(),
    row<Count>(
        "row-registers", "limit for the registers of a work-item of the rows (NVIDIA)",
        [](auto& d) -> auto& { return d.rows.registers; },
        [](const FftPlan& plan) { return shape_of(plan, plan.rows).registers; })
        .only_shared(),
    row<Radices>(
        "back-radices", "stages of the rows back", [](auto& d) -> auto& { return d.radix_back; },
        [](const FftPlan& plan) { return radices_back_of(plan); })
        .only_shared(),
    row<Count>(
        "back-items", "work-items a pair of rows back", [](auto& d) -> auto& { return d.rows_back.items; },
        [](const FftPlan& plan) { return shape_back_of(plan).items; })
        .only_shared(),
    row<OneOf<ExchangeForm>>(
        "back-exchange", "the exchange of the rows back", [](auto& d) -> auto& { return d.rows_back.exchange; },
        [](const FftPlan& plan) { return shape_back_of(plan).exchange; })
        .only_shared(),
    row<Count>(
        "back-registers", "limit for the registers of a work-item of the rows back (NVIDIA)",
        [](auto& d) -> auto& { return d.rows_back.registers; },
        [](const FftPlan& plan) { return shape_back_of(plan).registers; })
        .only_shared(),
    row<Radices>(
        "column-radices", "stages of the columns", [](auto& d) -> auto& { return d.radix_y.sequence; },
        [](const FftPlan& plan) { return plan.columns.radices; }),
    row<OneRadix>(
        "column-largest", "the largest radix of the columns", [](auto& d) -> auto& { return d.radix_y.largest; },
        kNotInPlan),
    row<Count>(
        "column-lines", "columns a work-group", [](auto& d) -> auto& { return d.columns.lines; },
        [](const FftPlan& plan) { return shape_of(plan, plan.columns).lines; })
        .only_shared(),
    row<Count>(
        "column-items", "work-items a column", [](auto& d) -> auto& { return d.columns.items; },
        [](const FftPlan& plan) { return shape_of(plan, plan.columns).items; })
        .only_shared(),
    row<OneOf<ExchangeForm>>(
        "column-exchange", "the exchange of the columns", [](auto& d) -> auto& { return d.columns.exchange; },
        [](const FftPlan& plan) { return shape_of(plan, plan.columns).exchange; })
        .only_shared(),
    row<Count>(
        "column-registers", "limit for the registers of a work-item of the columns (NVIDIA)",
        [](auto& d) -> auto& { return d.columns.registers; },
        [](const FftPlan& plan) { return shape_of(plan, plan.columns).registers; })
        .only_shared(),
    row<Count>(
        "column-parts", "parts of a column that are transformed by themselves, each with the samples around it",
        [](auto& d) -> auto& { return d.column_parts; }, [](const FftPlan& plan) { return parts_of(plan); })
        .unfit_for(Unfit::global),
    row<Count>(
        "tile-columns", "columns of a bundle: they are side by side between the passes",
        [](auto& d) -> auto& { return d.bundle_columns; }, [](const FftPlan& plan) { return bundle_columns_of(plan); })
        .only_shared(),
    row<OneOf<RadixOrder>>(
        "radix-order", "order of the stages that are chosen automatically",
        [](auto& d) -> auto& { return d.radix_order; }, kNotInPlan),
    row<OnePadding>(
        "padding", "unused cells after each block of an exchange: as the banks of local memory need, none, or N",
        [](auto& d) -> auto& { return d.padding; }, [](const FftPlan& plan) { return padding_of(plan); })
        .only_shared(),
    row<OneOf<Butterflies>>(
        "butterflies", "composite radices as nested butterflies, or as the plain sum",
        [](auto& d) -> auto& { return d.butterflies; }, [](const FftPlan& plan) { return plan.rows.butterflies; }),
    variant<Passes>(
        "passes", "columns, product and columns back in one launch, or in three",
        [](auto& d) -> auto& { return d.passes; }, [](const FftPlan& plan) { return plan.passes; },
        {SharedProgram::columns, "SEPARATE"})
        .unfit_for(Unfit::owned, name_of(Passes::fused))
        .said_as(""),
    variant<Packing>(
        "packing", "what the row pass packs into one complex line: two rows of a channel, or one row of two channels",
        [](auto& d) -> auto& { return d.packing; },
        [](const FftPlan& plan) {
            return work_groups_share(plan, plan.rows) ? std::optional(plan.packing) : std::nullopt;
        },
        {SharedProgram::rows, "PACKED_CHANNELS"})
        .said_as("two channels a line"),
    variant<Product>(
        "product",
        "where two channels share a line: their half spectra are multiplied, or their joint spectrum, by a gray PSF or "
        "split and joined in the product",
        [](auto& d) -> auto& { return d.product; },
        [](const FftPlan& plan) {
            return work_groups_share(plan, plan.rows) ? std::optional(plan.product) : std::nullopt;
        },
        {SharedProgram::rows, "PRODUCT"}),
    variant<Storing>(
        "storing", "what a work-group of the rows back stores of interleaved samples: one channel's, or whole pixels",
        [](auto& d) -> auto& { return d.storing; },
        [](const FftPlan& plan) {
            return work_groups_share(plan, plan.rows) ? std::optional(plan.storing) : std::nullopt;
        },
        {SharedProgram::rows, "WHOLE_PIXELS"})
        .said_as("stores whole pixels"),
    row<OneOf<LineOrder>>(
        "order", "order of the columns' spectra: sorted, or digit-reversed as from stages in place",
        [](auto& d) -> auto& { return d.order; },
        [](const FftPlan& plan) { return plan.by_lanes() ? LineOrder::in_place : plan.columns.local.order; })
        .unfit_for(Unfit::owned, name_of(LineOrder::in_place)),
    row<Tile>(
        "tile", "the tile of the tiled method", [](auto& d) -> auto& { return d.tile; },
        [](const TilePlan& plan) { return plan.size; }),
    row<Count>(
        "tile-items", "work-items that share a tile", [](auto& d) -> auto& { return d.tile_items; },
        [](const TilePlan& plan) { return plan.by_lanes() ? std::nullopt : std::optional(plan.items); }),
    row<OneOf<Programs>>(
        "programs", "programs for every size, or special to this size; the results are the same",
        [](auto& d) -> auto& { return d.programs; }, [](const Plan& plan) { return plan.programs; }),
};

/// The number of fields of Variants. A new field breaks the structured binding, so that its row is not forgotten.
constexpr std::ptrdiff_t count_of_variants()
{
    [[maybe_unused]] const auto [passes, packing, product, storing] = Variants<Chosen>{};
    return 4;
}
static_assert(std::ranges::count_if(kDecisions, [](const DecisionRow& row) { return row.variant.has_value(); }) ==
                  count_of_variants(),
              "a field of Variants has no row, or two");

}  // namespace
}  // namespace table

std::span<const DecisionRow> decision_rows() { return table::kDecisions; }

}  // namespace clconv
