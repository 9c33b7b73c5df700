// SPDX-License-Identifier: Apache-2.0
#include "plan_records/tuned_plans.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clconv {

TunedPlans::TunedPlans(Tuning tuning, const CacheFolder& caches, std::string kernels, Notes notes, Measure measure)
    : tuning_(tuning),
      store_(caches),
      passes_(caches),
      kernels_(std::move(kernels)),
      notes_(std::move(notes)),
      measure_(std::move(measure))
{
}

KnownRecords& TunedPlans::known_of(const DeviceInfo& device)
{
    const auto known = known_.find(device.index);
    if (known != known_.end()) return known->second;
    KnownRecords& records = known_[device.index];
    records.own = store_.of_device(device);
    records.shipped = shipped_records(device_family_name(device.name));
    notes_(fmt::format("tuning: {} records of {} in {}", records.own.size(), device.name,
                       store_.folder().path().empty() ? "no folder" : store_.folder().path().string()));
    return records;
}

const KnownPasses& TunedPlans::passes_of(const DeviceInfo& device)
{
    const auto known = known_passes_.find(device.index);
    if (known != known_passes_.end()) return known->second;
    KnownPasses& passes = known_passes_[device.index];
    passes = known_passes(passes_.of_device(device, kernels_), shipped_passes(device.name), device, kernels_);
    notes_(fmt::format("tuning: {} {}passes of {}", passes.costs.times().records().size(),
                       passes.match == Match::shipped ? "shipped " : "", device.name));
    return passes;
}

bool TunedPlans::may_be_measured(const Problem& problem) const
{
    // The length of a ring is part of the result, and what was measured may choose another. Records time one
    // convolution alone, and where it alternates, steps before and after it count, too.
    return tuning_ != Tuning::off && problem.support != KernelSupport::infinite && !problem.alternates;
}

ChosenPlan TunedPlans::chosen(const KnownRecords& known, const PlanRequest& request)
{
    return choose_plan(
        known, request, [&]() -> const KnownPasses& { return passes_of(request.device); }, notes_);
}

ChosenPlan TunedPlans::choose_without_records(const Problem& problem, const DeviceInfo& device, const Decisions& forced)
{
    if (!may_be_measured(problem)) return heuristic_plan(problem, device, forced);
    const std::lock_guard lock(mutex_);
    return chosen({}, {problem, device, forced, record_key(device, kernels_, problem, decided(forced))});
}

ChosenPlan TunedPlans::choose(const Problem& problem, const DeviceInfo& device, const Decisions& forced)
{
    if (!may_be_measured(problem)) return heuristic_plan(problem, device, forced);
    const std::lock_guard lock(mutex_);
    KnownRecords& known = known_of(device);
    const PlanRequest request{problem, device, forced, record_key(device, kernels_, problem, decided(forced))};
    const bool is_known = std::any_of(known.own.begin(), known.own.end(),
                                      [&](const Record& record) { return record.key == request.key; });
    if (tuning_ == Tuning::measure && !is_known && measure_ && !unmeasured_.contains(request.key.problem)) {
        try {
            if (auto record = measure_(problem, device, forced)) known.own.push_back(std::move(*record));
        } catch (const InternalError&) {
            throw;
        } catch (const Error& error) {
            unmeasured_.insert(request.key.problem);
            notes_(fmt::format("tuning: {} could not be measured: {}", request.key.problem, error.what()));
        }
    }
    return chosen(known, request);
}

PlanSource plan_source(std::shared_ptr<TunedPlans> plans)
{
    return [plans = std::move(plans)](const Problem& problem, const DeviceInfo& device, const Decisions& forced) {
        return plans->choose(problem, device, forced);
    };
}

}  // namespace clconv
