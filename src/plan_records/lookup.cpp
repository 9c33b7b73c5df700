// SPDX-License-Identifier: Apache-2.0
#include "plan_records/lookup.h"

#include "base/errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace clconv {
namespace {

bool goes_global(const Plan& plan) { return plan.is_fft() && plan.fft().goes_global(); }

Match match_of_own(const Record& record, const RecordKey& key, std::string_view similar)
{
    if (record.key.kernels != key.kernels || record.key.forced != key.forced) return Match::none;
    const bool same_driver = record.key.driver == key.driver;
    if (record.key.problem == key.problem) return same_driver ? Match::exact : Match::stale;
    return same_driver && record.similar == similar ? Match::similar : Match::none;
}

Match match_of_shipped(const Record& record, const RecordKey& key, std::string_view similar)
{
    if (record.key.forced != key.forced) return Match::none;
    if (device_family(record.key.platform, record.key.device) != device_family(key.platform, key.device))
        return Match::none;
    if (record.key.problem == key.problem) return Match::shipped;
    return record.similar == similar ? Match::shipped_similar : Match::none;
}

struct Matched {
    Match match;
    const Record* record;
};

/// The records that apply to this problem, best first.
std::vector<Matched> matches(const KnownRecords& known, const RecordKey& key, std::string_view similar)
{
    std::vector<Matched> found;
    for (const Record& record : known.own) found.push_back({match_of_own(record, key, similar), &record});
    for (const Record& record : known.shipped) found.push_back({match_of_shipped(record, key, similar), &record});
    std::erase_if(found, [](const Matched& entry) { return entry.match == Match::none; });
    std::stable_sort(found.begin(), found.end(), [](const Matched& a, const Matched& b) { return a.match < b.match; });
    return found;
}

}  // namespace

std::string device_family(std::string_view platform, std::string_view device)
{
    std::string_view name = device;
    for (const std::string_view maker : {"-AMD", "-Intel"}) name = name.substr(0, name.find(maker));
    return fmt::format("{}|{}", platform, name);
}

std::optional<Plan> plan_of(const Record& record, const Problem& problem, const DeviceTraits& traits,
                            const Decisions& forced, std::string& why_not)
{
    try {
        Decisions decisions = forced;
        for (const std::string& decision : record.decisions) decide(decisions, decision);
        // "Best as planned" was measured with special programs of this size, not with those of the menu.
        if (record.key.problem == token(problem) && !decisions.programs) decisions.programs = Programs::special;
        Plan plan = make_plan(problem, traits, decisions);
        // If a shape does not fit a work-group, the planner uses global memory. That is correct, but not what the
        // record says.
        if (goes_global(plan) && !goes_global(make_plan(problem, traits, forced))) {
            why_not = "its lines do not fit a work-group here";
            return std::nullopt;
        }
        return plan;
    } catch (const InvalidProblem& error) {
        why_not = error.what();
        return std::nullopt;
    }
}

ChosenPlan choose_plan(const KnownRecords& known, const PlanRequest& request,
                       const std::function<void(const std::string&)>& notes)
{
    const auto& [problem, device, forced, key] = request;
    Plan heuristic = make_plan(problem, device.traits, forced);
    const std::string similar = similar_token(problem, padded_extent(heuristic));
    for (const auto& [match, record] : matches(known, key, similar)) {
        std::string why_not;
        auto plan = plan_of(*record, problem, device.traits, forced, why_not);
        // The best method depends on the PSF's size, and similar problems may have PSFs of different sizes.
        const bool by_size = match == Match::similar || match == Match::shipped_similar;
        if (plan && by_size && plan->method() != heuristic.method()) {
            why_not = "its method depends on the exact size";
            plan.reset();
        }
        if (!plan) {
            notes(fmt::format("{}: a {} is ignored: {}", key.problem, name_of(match), why_not));
            continue;
        }
        std::string origin(name_of(match));
        plan->reasons.push_back(fmt::format(
            "{}: measured as {} ({:.4g} ms, {:.4g} without)", origin,
            record->decisions.empty() ? "best as planned" : fmt::format("{}", fmt::join(record->decisions, " ")),
            record->ms, record->heuristic_ms));
        return {std::move(*plan), std::move(origin), true};
    }
    return {std::move(heuristic)};
}

}  // namespace clconv
