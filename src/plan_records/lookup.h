// SPDX-License-Identifier: Apache-2.0
// The plan of a problem with the help of records.
//
// They are tried in this order: the record of exactly this key; one of a similar problem (plan_records/record.h); this
// problem's record with another driver, which is stale but better than nothing; the records that are part of clconv, in
// the same order, for devices of the same family; the cheapest passes, where passes were measured
// (plan/measured_decisions.h); the planner's own plan. A record whose decisions do not fit is ignored. A record applies
// only if the same decisions are forced as when it was measured, so forced decisions always hold.
#pragma once

#include "base/names.h"
#include "engine/plan_source.h"
#include "plan/pass_costs.h"
#include "plan_records/pass_set.h"
#include "plan_records/record.h"

#include <functional>
#include <string>
#include <vector>

namespace clconv {

/// How well a record's circumstances match, best first.
enum class Match { exact, similar, stale, shipped, shipped_similar, none };
template <>
inline constexpr auto kNames<Match> = std::to_array<Named<Match>>({{"record", Match::exact},
                                                                   {"record of a similar size", Match::similar},
                                                                   {"stale record (of another driver)", Match::stale},
                                                                   {"shipped record", Match::shipped},
                                                                   {"shipped record of a similar size",
                                                                    Match::shipped_similar},
                                                                   {"heuristic", Match::none}});

/// The family of devices that share shipped records: GPUs of one name; CPUs of one instruction set, as PoCL names them
/// ("pthread-skylake-avx512-AMD EPYC", since PoCL 4 "cpu-skylake-avx512-AMD EPYC": "skylake-avx512" of both).
[[nodiscard]] std::string device_family(std::string_view platform, std::string_view device);
/// The device's part of it.
[[nodiscard]] std::string_view device_family_name(std::string_view device);

/// The passes that speak for a device.
struct KnownPasses {
    Match match = Match::none;  ///< exact, stale (of another driver) or shipped; none: there are none
    PassCosts costs = {};
};

struct KnownRecords {
    std::vector<Record> own;      ///< of this device
    std::vector<Record> shipped;  ///< of any device
};

/// Reads the passes of a device. Called only when they may be needed: a file of them takes milliseconds.
using PassSource = std::function<const KnownPasses&()>;

/// Devices that have the same compute units with other memory, or another clock: their passes fill in for each other.
/// NVIDIA's of one generation; the family's name where nothing is known.
[[nodiscard]] std::string_view device_generation(std::string_view device);

/// The device's own passes if they are of these kernels, else those of the shipped set of its family. What these lack
/// is filled in (plan/pass_times.h) from the shipped set of its family, and then from those of its generation. Each of
/// them lends only if it has more passes than are known by then.
[[nodiscard]] KnownPasses known_passes(const std::optional<PassSet>& own, const std::vector<PassSet>& shipped,
                                       const DeviceInfo& device, std::string_view kernels);

/// The passes that say most about those of a device that are about to be measured: its own of another driver or of
/// other kernels, else shipped ones of its family, else shipped ones of another device of its platform. Null: there are
/// none.
[[nodiscard]] const PassSet* related_passes(const std::optional<PassSet>& outdated, const std::vector<PassSet>& shipped,
                                            const DeviceInfo& device);

/// A problem that needs a plan.
struct PlanRequest {
    const Problem& problem;
    const DeviceInfo& device;
    const Decisions& forced;
    RecordKey key;  ///< record_key() of the above
};

/// Chooses the plan. `notes` is called with the records that were ignored, and why.
[[nodiscard]] ChosenPlan choose_plan(const KnownRecords& known, const PlanRequest& request, const PassSource& passes,
                                     const std::function<void(const std::string&)>& notes);

/// The plan of a record. Nothing if its decisions do not fit; `why_not` then has the reason.
[[nodiscard]] std::optional<Plan> plan_of(const Record& record, const Problem& problem, const DeviceTraits& traits,
                                          const Decisions& forced, std::string& why_not);

}  // namespace clconv
