// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_lanes.h"

#include "base/ceil_div.h"
#include "fft/factorize.h"
#include "fft/lane_line.h"
#include "plan/cost.h"
#include "plan/gpu_grouping.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

namespace clconv {
namespace {

/// A column has at most so many parts, and parts at least this length, unless others are requested.
constexpr int kMaxLaneParts = 16;
constexpr int kMinLanePart = 256;
/// A value of the transfer, in units of lane_stage_cost(). A fit to column passes gave 64, which cuts small images too
/// often (docs/decisions/067-columns-in-parts-on-cpus.md).
constexpr double kTransferCost = 24;

struct LaneAxis {
    Axis axis;
    std::vector<int> radices;
    double cost = 0;
};

/// The radices that a line owns, besides the step across the lanes; none if that step is above the largest requested.
std::optional<RadixRules> lane_rules(const RadixRequest& request, bool rows, std::optional<RadixOrder> order)
{
    RadixRules rules;
    rules.ascending = order == RadixOrder::ascending;
    rules.cost = lane_stage_cost;
    if (!request.largest) {
        rules.largest = kMaxLaneRadix;
        rules.only = kGeneralLaneRadices;
        return rules;
    }
    rules.largest = *request.largest;
    rules.must_contain_largest = !(rows && rules.largest == kLanes);
    const bool has_step = !rows || rules.largest >= kLanes;
    if (!has_step || rules.largest > kMaxForcedLaneRadix) return std::nullopt;
    return rules;
}

/// Radices of a line of this length. For rows, the step across the lanes comes last, and the rest is a multiple of
/// eight, so that eight frequencies fill a vector.
std::optional<LaneAxis> with_length(const Axis& axis, int length, bool rows, const RadixRules& rules)
{
    const int own = rows ? length / kLanes : length;
    if (rows && length % (kLanes * kLanes) != 0) return std::nullopt;
    const auto factorization = factorize(own, rules);
    if (!factorization || factorization->radices.size() > kMaxLaneStages) return std::nullopt;
    if (!rows && factorization->radices.size() < 2) return std::nullopt;
    LaneAxis line{with_length(axis, length), factorization->radices, length * factorization->cost};
    if (rows) line.radices.push_back(kLanes);
    return line;
}

/// If the product is the length of the circular axis itself, the line has that length.
std::optional<LaneAxis> of_sequence(const AxisProblem& problem, const std::vector<int>& sequence, bool rows)
{
    const long long length = std::accumulate(sequence.begin(), sequence.end(), 1LL, std::multiplies<>());
    const std::size_t own = sequence.size() - (rows ? 1 : 0);
    if (rows && (sequence.back() != kLanes || length % (kLanes * kLanes) != 0)) return std::nullopt;
    const auto circular = circular_axis(problem);
    const Axis axis = circular && circular->length == length ? *circular : padded_axis(problem);
    if (own > kMaxLaneStages || own < (rows ? 1u : 2u) || length < axis.length || length > kMaxLine)
        return std::nullopt;
    if (*std::max_element(sequence.begin(), sequence.end()) > kMaxForcedLaneRadix) return std::nullopt;
    return LaneAxis{with_length(axis, static_cast<int>(length)), sequence, 0};
}

/// Whether lines of any shape can have this length.
bool has_radices(int length)
{
    RadixRules any;
    any.cost = [](int /*radix*/) { return 1.0; };
    return length > 1 && factorize(length, any);
}

std::optional<LaneAxis> lane_axis(const AxisProblem& problem, const RadixRequest& request, bool rows,
                                  std::optional<RadixOrder> order)
{
    if (!request.sequence.empty()) return of_sequence(problem, request.sequence, rows);
    const auto rules = lane_rules(request, rows, order);
    if (!rules) return std::nullopt;
    const Axis padded = padded_axis(problem);
    const auto circular = circular_axis(problem);
    if (circular && problem.support == KernelSupport::infinite && has_radices(circular->length))
        return with_length(*circular, circular->length, rows, *rules);  // or none: lines of other shapes are exact

    std::optional<LaneAxis> best;
    const auto consider = [&](const std::optional<LaneAxis>& line) {
        if (line && (!best || line->cost < best->cost)) best = line;
    };
    const int step = rows ? kLanes * kLanes : 1;
    const int first = std::max(padded.length, rows ? 1 : kMaxLaneRadix + 1);
    // Lengths with a requested radix may lie far apart. The shortest columns have it and a stage of radix 2.
    const int last = request.largest ? 2 * (first + step * rules->largest) : first + first / 4 + 2 * step;
    for (int length = rounded_up(first, step); length <= last; length += step)
        consider(with_length(padded, length, rows, *rules));
    if (circular) consider(with_length(*circular, circular->length, rows, *rules));
    return best;
}

std::uint64_t complex_bytes(const Problem& problem) { return 2 * scalar_bytes(problem.precision); }

/// Whether local memory holds the columns of a work-item.
bool holds(const DeviceTraits& traits, const Problem& problem, const Axis& y, int lanes)
{
    return static_cast<std::uint64_t>(y.length) * lanes * complex_bytes(problem) <= traits.local_memory;
}

/// A column in parts. Each part has its stages, and all of them read the same transfer, which is as long as a part.
double cost_of_parts(const LaneAxis& line) { return line.axis.parts * line.cost + kTransferCost * line.axis.length; }

/// Columns, in as many parts as are requested, or else cost least.
std::optional<LaneAxis> lane_columns(const Problem& problem, const Decisions& decisions)
{
    AxisProblem along = along_y(problem);
    along.parts = decisions.column_parts.value_or(1);
    std::optional<LaneAxis> best = lane_axis(along, decisions.radix_y, false, decisions.radix_order);
    const bool is_open = !decisions.column_parts && decisions.radix_y.sequence.empty();
    if (!best || !is_open || !no_parts_because(problem, decisions).empty()) return best;
    for (along.parts = 2; along.parts <= kMaxLaneParts; ++along.parts) {
        const auto line = lane_axis(along, decisions.radix_y, false, decisions.radix_order);
        if (!line || line->axis.parts != along.parts || line->axis.length < kMinLanePart) continue;
        if (cost_of_parts(*line) < cost_of_parts(*best)) best = line;
    }
    return best;
}

/// The row of the intermediate where the image's first row must lie, so that columns can be done in place, one part
/// after the other: the results of the first parts fill the rows from 0 on, and no later part may need what was there.
int image_row_of(const Axis& y, Border border)
{
    const std::vector<int> sources = source_table(y, border);
    int needed = y.count, row = 0;
    for (int part = y.parts - 1; part > 0; --part) {
        const auto first = sources.begin() + part * y.part;
        for (const int source : std::span(first, first + y.loaded))
            if (source >= 0) needed = std::min(needed, source);
        row = std::max(row, part * y.part - needed);
    }
    return rounded_up(row, 2);
}

}  // namespace

int lanes_of(const DeviceTraits& traits)
{
    if (!traits.is_cpu) return 1;
    return traits.vector_floats >= kWideLanes ? kWideLanes : kLanes;
}

int lane_packs(int rows) { return ceil_div(rows, 2) | 1; }

std::optional<FftPlan> plan_lanes(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions)
{
    const auto x = lane_axis(along_x(problem), decisions.radix_x, true, decisions.radix_order);
    const bool is_double = problem.precision == Precision::float64;
    const int lanes = decisions.lanes.value_or(is_double ? kLanes : lanes_of(traits));
    const auto y = lane_columns(problem, decisions);
    if (!x || !y) return std::nullopt;
    // A row's lines and its spectrum.
    const std::uint64_t row_bytes = (2ull * x->axis.length + kLanes) * complex_bytes(problem);
    if (row_bytes > traits.local_memory) return std::nullopt;

    FftPlan plan;
    plan.lanes = lanes;
    plan.long_columns = !holds(traits, problem, y->axis, lanes);
    plan.x = x->axis;
    plan.y = y->axis;
    plan.rows.radices = x->radices;
    plan.columns.radices = y->radices;
    plan.rows.butterflies = plan.columns.butterflies = decisions.butterflies.value_or(Butterflies::embedded);
    plan.rows_back = plan.rows;
    Spectrum& spectrum = plan.spectrum;
    spectrum.columns = plan.x.length / 2 + 1;
    spectrum.bundle_columns = plan.lanes;
    spectrum.bundles = ceil_div(spectrum.columns, plan.lanes);
    if (plan.y.parts > 1) plan.image_row = image_row_of(plan.y, problem.border);
    spectrum.packs = lane_packs(std::max(max_rows(plan.y), plan.image_row + plan.y.count));
    return plan;
}

}  // namespace clconv
