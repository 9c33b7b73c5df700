// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_direct.h"

#include "base/ceil_div.h"

namespace clconv {
namespace {

/// The maximum number of taps that a compiler unrolls in reasonable time, and that fit a CPU's registers.
int max_unrolled_taps(const DeviceTraits& traits) { return traits.is_cpu ? 32 : 128; }
/// The minimum of constant memory that OpenCL guarantees.
constexpr std::uint64_t kConstantBytes = 64 << 10;

}  // namespace

DirectPlan plan_direct(const Problem& problem, const DeviceTraits& traits)
{
    DirectPlan plan;
    plan.x = window_of(along_x(problem));
    plan.y = window_of(along_y(problem));
    plan.unrolled = static_cast<std::int64_t>(plan.x.taps) * plan.y.taps <= max_unrolled_taps(traits);
    // A CPU's work-item processes a patch alone, in its nearest cache.
    plan.results = traits.is_cpu ? Extent{8, 4} : Extent{4, 4};
    plan.items = traits.is_cpu ? Extent{1, 1} : Extent{32, 8};
    plan.turns = traits.is_cpu ? Extent{16, 8} : Extent{1, 1};
    plan.patch = {plan.items.width * plan.turns.width * plan.results.width,
                  plan.items.height * plan.turns.height * plan.results.height};
    plan.across = ceil_div(plan.x.output, plan.patch.width);
    plan.down = ceil_div(plan.y.output, plan.patch.height);
    // Whole vectors: the last one may extend beyond the samples that the results need.
    const int wide = plan.results.width;
    plan.pitch = rounded_up(plan.patch.width + plan.x.taps - 1, wide);
    plan.local_bytes = static_cast<std::uint64_t>(plan.pitch) * (plan.patch.height + plan.y.taps - 1) *
                       scalar_bytes(problem.precision);
    const std::uint64_t psf_bytes =
        static_cast<std::uint64_t>(plan.x.taps) * plan.y.taps * problem.psf_channels * scalar_bytes(problem.precision);
    plan.patches = plan.local_bytes <= traits.local_memory && psf_bytes <= kConstantBytes &&
                   static_cast<std::uint64_t>(plan.items.pixels()) <= traits.max_work_group;
    return plan;
}

}  // namespace clconv
