// SPDX-License-Identifier: Apache-2.0
#include "plan/measured_decisions.h"

#include "fft/factorize.h"
#include "fft/lane_line.h"
#include "plan/gpu_decisions.h"
#include "plan/gpu_grouping.h"
#include "plan/gpu_menu.h"
#include "plan/plan_lanes.h"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

namespace clconv {
namespace {

constexpr double kNoPassYet = std::numeric_limits<double>::infinity();

/// The cheapest two of the menu's lengths. Their programs are the menu's, so there are not more of them.
class MenuChoice {
public:
    MenuChoice(const Plan& planned, const DeviceTraits& traits, const Decisions& requested, const PassCosts& costs)
        : planned_(planned), problem_(planned.problem), traits_(traits), requested_(requested), costs_(costs)
    {
    }

    [[nodiscard]] std::optional<Decisions> best() const
    {
        std::optional<Decisions> found;
        double minimum = kNoPassYet;
        for (const MenuLine& rows : lines(along_x(problem_), gpu_menu_lengths(false), false))
            for (AxisProblem along = along_y(problem_); const int parts : column_parts(problem_, requested_)) {
                along.parts = parts;
                const auto lengths = parts > 1 ? gpu_menu_part_lengths() : gpu_menu_lengths(true);
                for (const MenuLine& columns : lines(along, lengths, true)) {
                    Decisions decisions = menu_decisions(rows, columns, requested_, parts);
                    const std::optional<Plan> plan = plan_if_it_fits(problem_, traits_, decisions);
                    if (!plan) continue;
                    const PassSum sum = sum_of(problem_, plan->fft(), costs_, padded_extent(planned_));
                    if (sum.price >= minimum || (parts > 1 && !sum.columns_measured)) continue;
                    minimum = sum.price;
                    found = std::move(decisions);
                }
            }
        return found;
    }

private:
    /// The lines of these lengths, from the shortest that is long enough to those a quarter longer.
    [[nodiscard]] std::vector<MenuLine> lines(const AxisProblem& axis, std::span<const int> lengths, bool columns) const
    {
        std::vector<MenuLine> found;
        const int minimum = gpu_menu_minimum(axis, columns);
        const int padded = padded_axis(axis).length;
        for (const int length : lengths) {
            if (length < padded && length != minimum) continue;  // a period that needs no padding may be shorter
            if (!found.empty() && length > minimum + minimum / 4) continue;
            if (auto line = gpu_menu_line(length, columns, problem_.precision, traits_))
                found.push_back(*std::move(line));
        }
        return found;
    }

    const Plan& planned_;
    const Problem& problem_;
    const DeviceTraits& traits_;
    const Decisions& requested_;
    const PassCosts& costs_;
};

class LaneSearch {
public:
    LaneSearch(const Plan& planned, const PassCosts& costs) : problem_(planned.problem), plan_(planned), costs_(costs)
    {
    }

    /// Rows decide how many columns there are, so each length of theirs has its own best columns.
    [[nodiscard]] std::pair<std::vector<int>, std::vector<int>> best() const
    {
        AxisProblem along = along_y(problem_);
        along.parts = plan_.fft().y.parts;
        const auto all_columns = candidates(PassKind::columns, along, plan_.fft().columns.radices);
        std::pair<std::vector<int>, std::vector<int>> found;
        double minimum = kNoPassYet;
        for (const std::vector<int>& rows : candidates(PassKind::rows, along_x(problem_), plan_.fft().rows.radices)) {
            const int length = line_length(rows);
            const double both = ns_of(PassKind::rows, rows, length) + ns_of(PassKind::rows_back, rows, length);
            for (const std::vector<int>& columns : all_columns) {
                const double ns = both + ns_of(PassKind::columns, columns, length);
                if (ns >= minimum) continue;
                minimum = ns;
                found = {rows, columns};
            }
        }
        return found;
    }

private:
    [[nodiscard]] double ns_of(PassKind kind, const std::vector<int>& radices, int row_length) const
    {
        PassLoad load = load_of(kind, problem_, plan_.fft(), row_length);
        load.pass.radices = radices;
        return costs_.cost(load).ns;
    }

    /// The planner's line, and those that were measured and may serve.
    [[nodiscard]] std::vector<std::vector<int>> candidates(PassKind kind, const AxisProblem& axis,
                                                           const std::vector<int>& planned) const
    {
        std::vector<std::vector<int>> found{planned};
        const LinePass own = line_pass(kind, problem_, plan_.fft());
        const int minimum = padded_axis(axis).length;
        const auto circular = circular_axis(axis);
        for (const auto& [pass, record] : costs_.times().records()) {
            LinePass like = own;
            like.radices = pass.radices;
            if (problem_.channels == 1) like.layout = pass.layout;  // PassLoad::one_channel
            if (pass != like || !has_programs(pass.radices)) continue;
            const int length = line_length(pass.radices);
            const bool fits = length >= minimum && length <= minimum + minimum / 3 + 2 * kLanes * kLanes;
            if (fits || (circular && circular->length == length)) found.push_back(pass.radices);
        }
        return found;
    }

    /// Programs for any line have only some radices.
    [[nodiscard]] bool has_programs(const std::vector<int>& radices) const
    {
        if (plan_.programs == Programs::special) return true;
        return std::all_of(radices.begin(), radices.end(), [](int radix) {
            return std::find(std::begin(kGeneralLaneRadices), std::end(kGeneralLaneRadices), radix) !=
                   std::end(kGeneralLaneRadices);
        });
    }

    const Problem& problem_;
    const Plan& plan_;
    const PassCosts& costs_;
};

std::optional<Decisions> cheapest(const Plan& planned, const DeviceTraits& traits, const Decisions& requested,
                                  const PassCosts& costs)
{
    if (planned.fft().by_lanes()) {
        Decisions decisions = requested;
        std::tie(decisions.radix_x.sequence, decisions.radix_y.sequence) = LaneSearch(planned, costs).best();
        if (planned.fft().y.parts > 1) decisions.column_parts = planned.fft().y.parts;
        return decisions;
    }
    if (traits.is_cpu) return std::nullopt;
    if (planned.programs == Programs::general) return MenuChoice(planned, traits, requested, costs).best();
    const MeasuredPasses measured{costs, padded_extent(planned)};
    return gpu_decisions(planned.problem, traits, requested, &measured);
}

}  // namespace

bool may_have_passes(const Plan& planned, const Decisions& requested)
{
    if (!planned.is_fft()) return false;
    // The search for a GPU keeps what is decided. Menus, and the search for a CPU, know lengths alone.
    const bool keeps_decisions = !planned.fft().by_lanes() && planned.programs == Programs::special;
    if (keeps_decisions) return has_whole_lines(planned.fft());
    return !shapes_are_decided(requested) && has_plain_passes(planned.fft());
}

std::optional<Decisions> measured_decisions(const Plan& planned, const DeviceTraits& traits, const Decisions& requested,
                                            const PassCosts& costs)
{
    if (costs.empty() || !may_have_passes(planned, requested)) return std::nullopt;
    Decisions fixed = requested;
    fixed.method = Method::fft;
    fixed.programs = planned.programs;
    return cheapest(planned, traits, fixed, costs);
}

}  // namespace clconv
