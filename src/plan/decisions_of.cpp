#include "plan/plan.h"

#include <algorithm>
#include <functional>

namespace clconv {
namespace {

/// The padding, judged by the pads: the same in all exchanges, or made for the banks.
std::optional<Padding> padding_of(const FftPlan& plan)
{
    std::vector<int> pads;
    for (const LinePlan* pass : {&plan.rows, &plan.columns, &plan.rows_back}) {
        if (pass->residence != Residence::local) continue;
        pads.insert(pads.end(), pass->local.pads.begin(), pass->local.pads.end());
        pads.insert(pads.end(), pass->local.back_pads.begin(), pass->local.back_pads.end());
    }
    if (pads.empty()) return std::nullopt;
    const bool alike = std::adjacent_find(pads.begin(), pads.end(), std::not_equal_to<>()) == pads.end();
    return alike ? Padding{pads.front()} : Padding{};
}

ShapeRequest shape_of(const LinePlan& pass)
{
    if (pass.residence != Residence::local) return {};
    ShapeRequest shape;
    shape.lines = pass.lines;
    shape.items = pass.local.items;
    shape.exchange = pass.local.exchange;
    if (pass.registers > 0) shape.registers = pass.registers;
    return shape;
}

Decisions decisions_of_method(const FftPlan& plan)
{
    Decisions decisions;
    decisions.radix_x.sequence = plan.rows.radices;
    decisions.radix_y.sequence = plan.columns.radices;
    decisions.butterflies = plan.rows.butterflies;
    decisions.lanes = plan.lanes;
    decisions.passes = plan.passes;
    decisions.order = plan.by_lanes() ? LineOrder::in_place : plan.columns.local.order;
    if (plan.by_lanes()) return decisions;
    if (plan.rows.residence == plan.columns.residence) decisions.residence = plan.rows.residence;
    decisions.rows = shape_of(plan.rows);
    decisions.columns = shape_of(plan.columns);
    if (!(plan.rows_back == plan.rows)) {
        decisions.radix_back = plan.rows_back.radices;
        decisions.rows_back = shape_of(plan.rows_back);
        decisions.rows_back.lines.reset();
    }
    if (plan.rows.residence == Residence::local) {
        decisions.packing = plan.packing;
        decisions.tile_columns = plan.spectrum.tile_columns / (plan.packing == Packing::channels ? 2 : 1);
    }
    decisions.padding = padding_of(plan);
    return decisions;
}

Decisions decisions_of_method(const TilePlan& plan)
{
    Decisions decisions;
    decisions.lanes = plan.lanes;
    decisions.tile = plan.size;
    if (!plan.by_lanes()) decisions.tile_items = plan.items;
    return decisions;
}
Decisions decisions_of_method(const DirectPlan& /*plan*/) { return {}; }

}  // namespace

Decisions decisions_of(const Plan& plan)
{
    Decisions decisions = std::visit([](const auto& how) { return decisions_of_method(how); }, plan.how);
    decisions.method = plan.method();
    decisions.programs = plan.programs;
    return decisions;
}

}  // namespace clconv
