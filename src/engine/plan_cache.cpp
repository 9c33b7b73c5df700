#include "engine/plan_cache.h"

#include "base/clock.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace clconv {

PlanCache::PlanCache(Device& device, const KernelSource& kernels, const ConvolveSettings& settings, PlanLimits limits,
                     std::function<void()> before_one_goes)
    : device_(device),
      kernels_(kernels),
      settings_(settings),
      limits_(limits),
      memory_(device.info().traits.global_memory / 2),
      before_one_goes_(std::move(before_one_goes))
{
}

PlanCache::Ready PlanCache::ready(const Problem& problem, const PlanSource& source, const UsedPsf& psf,
                                  ConvolvedImage& result)
{
    const auto with_plans_of = [&](const PlanSource& plans) {
        KnownPlan& known = prepare(problem, plans, result);
        return Ready{known, known.plan.psf(psf, result)};
    };
    try {
        return with_plans_of(source);
    } catch (...) {
        if (!on_trial_) throw;
    }
    forget(problem);
    return with_plans_of(heuristic_plan);
}

void PlanCache::forget(const Problem& problem) { plans_.erase(program_key(problem)); }

KnownPlan& PlanCache::prepare(const Problem& problem, const PlanSource& source, ConvolvedImage& result)
{
    const std::string key = program_key(problem);
    ++uses_;
    on_trial_ = false;
    if (const auto known = plans_.find(key); known != plans_.end()) {
        known->second.last_used = uses_;
        return known->second;
    }
    const auto start = Clock::now();
    const ChosenPlan chosen = source(problem, device_.info(), settings_.decisions);
    on_trial_ = chosen.measured;
    KnownPlan known = made(chosen);
    add_build(result, start);
    return plans_.emplace(key, std::move(known)).first->second;
}

KnownPlan PlanCache::made(const ChosenPlan& chosen)
{
    const int queues = static_cast<int>(device_.handles().routes.size());
    const Overlap most{limits_.images, std::min(limits_.images, queues), settings_.several_psfs && !limits_.is_frugal};
    const Overlap overlap = choose_overlap(chosen.plan, most, memory_);
    make_room(device_bytes(chosen.plan, overlap));
    return {{device_, kernels_, chosen.plan, overlap},
            describe(chosen),
            chosen.origin,
            chosen.measured,
            {settings_.first_use, device_.info(), kernels_, chosen},
            uses_};
}

void PlanCache::make_room(std::uint64_t bytes)
{
    const auto in_use = [&] {
        std::uint64_t sum = bytes;
        for (const auto& [key, known] : plans_) sum += known.plan.bytes();
        return sum;
    };
    while (!plans_.empty() && (limits_.is_frugal || in_use() > memory_)) {
        before_one_goes_();
        plans_.erase(std::min_element(plans_.begin(), plans_.end(), [](const auto& a, const auto& b) {
            return a.second.last_used < b.second.last_used;
        }));
    }
}

}  // namespace clconv
