// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_direct.h"

#include "base/ceil_div.h"

#include <algorithm>
#include <iterator>

namespace clconv {
namespace {

/// The maximum number of taps that a GPU's compiler unrolls in reasonable time. On a CPU, taps in loops are as fast or
/// faster (docs/decisions/056-direct-programs-of-cpus.md).
constexpr std::int64_t kUnrolledTaps = 128;
/// The minimum of constant memory that OpenCL guarantees.
constexpr std::uint64_t kConstantBytes = 64 << 10;

/// The room of a CPU's programs. Each serves all PSFs up to its side, so that few programs serve all.
constexpr int kRooms[] = {16, 32, 64, 128, 256};

/// Cells from one row of a window to the next, with room for `taps`. Whole vectors: the last one may extend beyond the
/// samples that the results need.
int pitch_of(const DirectPlan& plan, Extent taps)
{
    return rounded_up(plan.patch.width + taps.width - 1, plan.results.width);
}

std::uint64_t window_cells(const DirectPlan& plan, Extent taps)
{
    return static_cast<std::uint64_t>(pitch_of(plan, taps)) * (plan.patch.height + taps.height - 1);
}

}  // namespace

DirectPlan plan_direct(const Problem& problem, const DeviceTraits& traits)
{
    DirectPlan plan;
    plan.x = window_of(along_x(problem));
    plan.y = window_of(along_y(problem));
    plan.unrolled = !traits.is_cpu && std::int64_t{plan.x.taps} * plan.y.taps <= kUnrolledTaps;
    // A CPU's work-item processes a patch alone, in its nearest cache.
    plan.results = traits.is_cpu ? Extent{8, 4} : Extent{4, 4};
    plan.items = traits.is_cpu ? Extent{1, 1} : Extent{32, 8};
    plan.turns = traits.is_cpu ? Extent{16, 8} : Extent{1, 1};
    plan.patch = {plan.items.width * plan.turns.width * plan.results.width,
                  plan.items.height * plan.turns.height * plan.results.height};
    plan.across = ceil_div(plan.x.output, plan.patch.width);
    plan.down = ceil_div(plan.y.output, plan.patch.height);
    const Extent taps{plan.x.taps, plan.y.taps};
    const auto* const side = std::ranges::lower_bound(kRooms, std::max(taps.width, taps.height));
    plan.any_psf = traits.is_cpu && side != std::end(kRooms) &&
                   window_cells(plan, {*side, *side}) * scalar_bytes(problem.precision) <= traits.local_memory;
    plan.room = plan.any_psf ? Extent{*side, *side} : taps;
    plan.pitch = pitch_of(plan, plan.room);
    plan.local_bytes = window_cells(plan, plan.room) * scalar_bytes(problem.precision);
    const std::uint64_t psf_bytes =
        static_cast<std::uint64_t>(plan.x.taps) * plan.y.taps * problem.psf_channels * scalar_bytes(problem.precision);
    plan.patches = plan.local_bytes <= traits.local_memory && psf_bytes <= kConstantBytes &&
                   static_cast<std::uint64_t>(plan.items.pixels()) <= traits.max_work_group;
    return plan;
}

}  // namespace clconv
