// The plan of a problem with the help of records.
//
// In this order: the record of exactly this key; one of a similar problem (records/record.h); this problem's with
// another driver, which is stale but better than nothing; the records that are part of clconv, the same way, for
// devices of the same family; the planner's own plan. A record whose decisions do not fit any more is passed over.
// Records only speak where the same decisions are forced as when they were measured, so what a user forces always
// holds.
#pragma once

#include "base/names.h"
#include "engine/plan_source.h"
#include "records/record.h"

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

/// Devices that one shipped record suits: GPUs of one name; CPUs of one instruction set, as PoCL names them
/// ("pthread-skylake-avx512-AMD EPYC": without the maker's name).
[[nodiscard]] std::string device_family(std::string_view platform, std::string_view device);

struct KnownRecords {
    std::vector<Record> own;      ///< of this device
    std::vector<Record> shipped;  ///< of any device
};

/// Chooses. `notes` hears of records that were passed over and why.
[[nodiscard]] ChosenPlan choose_plan(const KnownRecords& known, const RecordKey& key, const Problem& problem,
                                     const DeviceInfo& device, const Decisions& forced,
                                     const std::function<void(const std::string&)>& notes);

/// A plan that a record stands for, or nothing if its decisions do not fit, with the reason in `why_not`.
[[nodiscard]] std::optional<Plan> plan_of(const Record& record, const Problem& problem, const DeviceTraits& traits,
                                          const Decisions& forced, std::string& why_not);

}  // namespace clconv
