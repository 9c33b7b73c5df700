// SPDX-License-Identifier: Apache-2.0
// Plans with the help of records, for every new problem of run, plan and bench.
#pragma once

#include "base/cache_folder.h"
#include "base/names.h"
#include "engine/plan_source.h"
#include "opencl/kernel_source.h"
#include "plan_records/lookup.h"
#include "plan_records/pass_store.h"
#include "plan_records/store.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace clconv {

/// The values of `--tuning`.
enum class Tuning {
    automatic,  ///< records, if there are any
    off,        ///< the planner alone
    measure,    ///< records; measures first if there is none of exactly this problem
};
template <>
inline constexpr auto kNames<Tuning> =
    std::to_array<Named<Tuning>>({{"auto", Tuning::automatic}, {"off", Tuning::off}, {"measure", Tuning::measure}});

class TunedPlans {
public:
    using Notes = std::function<void(const std::string&)>;
    /// Measures a problem and keeps the record in the store. Throws DeviceError.
    using Measure = std::function<std::optional<Record>(const Problem&, const DeviceInfo&, const Decisions& forced)>;

    /// `caches`: where records are kept; `kernels`: their fingerprint; `notes`: receives messages about records for the
    /// log; `measure`: for Tuning::measure.
    TunedPlans(Tuning tuning, const CacheFolder& caches, std::string kernels, Notes notes, Measure measure = {});

    /// See PlanSource. May be called from several threads; reads the records of a device once.
    [[nodiscard]] ChosenPlan choose(const Problem& problem, const DeviceInfo& device, const Decisions& forced);

    /// What choose() would choose if no problem had a record: the plan by measured passes, if there are any.
    [[nodiscard]] ChosenPlan choose_without_records(const Problem& problem, const DeviceInfo& device,
                                                    const Decisions& forced);

private:
    /// Whether what was measured has a say in plans of this problem.
    [[nodiscard]] bool may_be_measured(const Problem& problem) const;
    [[nodiscard]] ChosenPlan chosen(const KnownRecords& known, const PlanRequest& request);
    KnownRecords& known_of(const DeviceInfo& device);
    const KnownPasses& passes_of(const DeviceInfo& device);

    Tuning tuning_;
    RecordStore store_;
    PassStore passes_;
    std::string kernels_;
    Notes notes_;
    Measure measure_;
    std::mutex mutex_;
    std::map<std::string, KnownRecords> known_;        ///< by the device's index
    std::map<std::string, KnownPasses> known_passes_;  ///< the same
    std::set<std::string> unmeasured_;                 ///< problems whose measurement failed
};

/// A source that shares one TunedPlans.
[[nodiscard]] PlanSource plan_source(std::shared_ptr<TunedPlans> plans);

}  // namespace clconv
