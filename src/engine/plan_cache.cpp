// SPDX-License-Identifier: Apache-2.0
#include "engine/plan_cache.h"

#include "base/clock.h"
#include "opencl/build_times.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace clconv {
namespace {

/// On a CPU, memory that was never touched costs more than the transform of a PSF, so the transfers of older sizes are
/// replaced beyond these bytes. But some sizes always stay: a folder has a few that come again, and more images than
/// capacity() are never in flight. docs/decisions/041-memory-of-plans.md
constexpr std::uint64_t kKeptByACpu = std::uint64_t{32} << 20U;
constexpr std::size_t kPlansOfACpu = 6;

}  // namespace

PlanCache::PlanCache(Device& device, const KernelSource& kernels, const ConvolveSettings& settings, PlanLimits limits,
                     std::function<void()> before_one_goes)
    : device_(device),
      kernels_(kernels),
      settings_(settings),
      limits_(limits),
      memory_(device.info().traits.global_memory / 2),
      before_one_goes_(std::move(before_one_goes)),
      workspace_(device)
{
}

PlanCache::Ready PlanCache::ready(const Problem& problem, const PlanSource& source, const Transfer& transfer,
                                  ConvolvedImage& result)
{
    const auto with_plans_of = [&](const PlanSource& plans) {
        const Clock::time_point start = Clock::now();
        const BuildTimes builds(device_);
        const auto [known, is_new] = prepare(problem, plans);
        PreparedPlan::Transfer made = transfer(known.plan);
        if (is_new || made.preparing) add_preparing(result, start, builds.spans());
        return Ready{known, made.psf, std::move(made.preparing)};
    };
    try {
        return with_plans_of(source);
    } catch (...) {
        if (!on_trial_) throw;
    }
    forget(problem);
    // A driver that allocates at the first use (NVIDIA's) leaves a plan that is too large with buffers that no launch
    // can use, and the next plan would get them.
    before_one_goes_();
    workspace_.clear();
    return with_plans_of(heuristic_plan);
}

void PlanCache::forget(const Problem& problem) { plans_.erase(program_key(problem)); }

PlanCache::Prepared PlanCache::prepare(const Problem& problem, const PlanSource& source)
{
    const std::string key = program_key(problem);
    ++uses_;
    on_trial_ = false;
    if (const auto known = plans_.find(key); known != plans_.end()) {
        known->second.last_used = uses_;
        keep_transfers_in_memory(known->second.plan);
        return {known->second, false};
    }
    const ChosenPlan chosen = source(problem, device_.info(), settings_.decisions);
    on_trial_ = chosen.measured;
    return {plans_.emplace(key, made(chosen)).first->second, true};
}

KnownPlan PlanCache::made(const ChosenPlan& chosen)
{
    const int queues = static_cast<int>(device_.handles().routes.size());
    const Overlap maximum{limits_.images, std::min(limits_.images, queues),
                          settings_.several_psfs && !limits_.is_frugal};
    const Overlap overlap = choose_overlap(chosen.plan, maximum, memory_);
    make_room(chosen.plan, overlap);
    return {{device_, kernels_, workspace_, chosen.plan, overlap},
            describe(chosen),
            chosen.origin,
            chosen.measured,
            {settings_.first_use, device_.info(), kernels_, chosen},
            uses_};
}

/// Each PSF of a plan keeps its transfer. When they no longer fit, all go: images have their PSFs in turns, so the
/// oldest would be the next.
void PlanCache::keep_transfers_in_memory(PreparedPlan& plan)
{
    if (plan.transfers() < 2 || workspace_.bytes() + bytes_of_plans() <= memory_) return;
    before_one_goes_();
    plan.forget_transfers();
}

std::uint64_t PlanCache::bytes_of_plans() const
{
    std::uint64_t sum = 0;
    for (const auto& [key, known] : plans_) sum += known.plan.bytes();
    return sum;
}

void PlanCache::make_room(const Plan& plan, const Overlap& overlap)
{
    const std::uint64_t own = own_bytes(plan, overlap, 1);
    const std::uint64_t shared = device_bytes(plan, overlap) - own;
    const auto in_use = [&] { return own + std::max(shared, workspace_.bytes()) + bytes_of_plans(); };
    while (!plans_.empty() && (limits_.is_frugal || in_use() > memory_)) {
        before_one_goes_();
        workspace_.clear();
        plans_.erase(least_recently_used());
    }
    if (!device_.info().traits.is_cpu) return;
    // No image in flight uses this plan any more: too many others have been used since.
    std::uint64_t kept = own;
    for (const auto& [key, known] : plans_) kept += known.plan.bytes();
    while (plans_.size() >= kPlansOfACpu && kept > kKeptByACpu) {
        const auto oldest = least_recently_used();
        kept -= oldest->second.plan.bytes();
        plans_.erase(oldest);
    }
}

PlanCache::Plans::iterator PlanCache::least_recently_used()
{
    return std::min_element(plans_.begin(), plans_.end(),
                            [](const auto& a, const auto& b) { return a.second.last_used < b.second.last_used; });
}

}  // namespace clconv
