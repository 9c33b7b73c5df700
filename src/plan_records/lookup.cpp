// SPDX-License-Identifier: Apache-2.0
#include "plan_records/lookup.h"

#include "base/errors.h"
#include "plan/measured_decisions.h"

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

/// "measured passes", "stale measured passes (of another driver)", "2 of 3 shipped measured passes".
std::string origin_of_passes(Match match, int measured)
{
    const std::string_view kind = match == Match::shipped ? "shipped " : match == Match::stale ? "stale " : "";
    const std::string_view driver = match == Match::stale ? " (of another driver)" : "";
    return fmt::format("{}{}measured passes{}", measured == 3 ? "" : fmt::format("{} of 3 ", measured), kind, driver);
}

/// The plan of the cheapest passes, if one of them was measured.
std::optional<ChosenPlan> plan_by_passes(const Plan& planned, const PlanRequest& request, const KnownPasses& passes)
{
    const auto& [problem, device, forced, key] = request;
    const auto decisions = measured_decisions(planned, device.traits, forced, passes.costs);
    const auto made = decisions ? plan_if_it_fits(problem, device.traits, *decisions) : std::nullopt;
    if (!made) return std::nullopt;
    Plan plan = *made;
    if (goes_global(plan) || plan.programs != planned.programs) return std::nullopt;
    PassSum sum = sum_of(problem, plan.fft(), passes.costs);
    if (sum.measured == 0) return std::nullopt;
    plan.reasons.front() = planned.reasons.front();  // the method is as planned
    // What looks faster by less than times repeat is not worth programs of another shape.
    constexpr double worthwhile = 0.98;
    const PassSum as_planned = sum_of(problem, planned.fft(), passes.costs);
    if (sum.ns > worthwhile * as_planned.ns && as_planned.measured > 0) {
        plan = planned;
        sum = as_planned;
    }
    plan.reasons.push_back(fmt::format("passes: {:.3g} ms in all, {}{}", sum.ns * 1e-6, sum.words,
                                       has_plain_passes(plan.fft()) ? "" : "; without what is forced"));
    return ChosenPlan{std::move(plan), origin_of_passes(passes.match, sum.measured), true};
}

}  // namespace

KnownPasses known_passes(const std::optional<PassSet>& own, const std::vector<PassSet>& shipped,
                         const DeviceInfo& device, std::string_view kernels)
{
    KnownPasses known;
    std::vector<PassRecord> passes;
    if (own && own->key.kernels == kernels && !own->passes.empty()) {
        known.match = own->key.driver == device.driver ? Match::exact : Match::stale;
        passes = own->passes;
    }
    const auto is_family = [&](const PassSet* set) {
        return device_family_name(set->key.device) == device_family_name(device.name);
    };
    std::vector<const PassSet*> others;
    for (const PassSet& set : shipped)
        if (set.key.platform == device.platform && !set.passes.empty() &&
            device_generation(set.key.device) == device_generation(device.name))
            others.push_back(&set);
    std::stable_partition(others.begin(), others.end(), is_family);
    if (known.match == Match::none && !others.empty()) known.match = Match::shipped;
    for (const PassSet* set : others) {
        if (passes.empty() && is_family(set))
            passes = set->passes;
        else if (set->passes.size() > passes.size())
            passes = completed(std::move(passes), set->passes);
    }
    if (!passes.empty()) known.costs = PassCosts(std::move(passes), device.traits, device.compute_units);
    return known;
}

std::string_view device_generation(std::string_view device)
{
    struct Generation {
        std::string_view beginning;  // of a device's name
        std::string_view name;
    };
    static constexpr Generation kGenerations[] = {{"NVIDIA H100", "Hopper"},
                                                  {"NVIDIA H200", "Hopper"},
                                                  {"NVIDIA H20", "Hopper"},
                                                  {"NVIDIA H800", "Hopper"},
                                                  {"NVIDIA GH200", "Hopper"}};
    for (const Generation& generation : kGenerations)
        if (device.starts_with(generation.beginning)) return generation.name;
    return device_family_name(device);
}

const PassSet* related_passes(const std::optional<PassSet>& outdated, const std::vector<PassSet>& shipped,
                              const DeviceInfo& device)
{
    if (outdated && !outdated->passes.empty()) return &*outdated;
    const std::string family = device_family(device.platform, device.name);
    const PassSet* found = nullptr;
    for (const PassSet& set : shipped) {
        if (set.passes.empty() || set.key.platform != device.platform) continue;
        if (device_family(set.key.platform, set.key.device) == family) return &set;
        if (found == nullptr) found = &set;
    }
    return found;
}

std::string_view device_family_name(std::string_view device)
{
    std::string_view name = device;
    for (const std::string_view threads : {"pthread-", "cpu-"})  // up to PoCL 3, and since 4
        if (name.starts_with(threads)) name.remove_prefix(threads.size());
    for (const std::string_view maker : {"-AMD", "-Intel"}) name = name.substr(0, name.find(maker));
    return name;
}

std::string device_family(std::string_view platform, std::string_view device)
{
    return fmt::format("{}|{}", platform, device_family_name(device));
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
        // If lines do not fit a work-group, the planner uses global memory. That is correct, but not what the
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

ChosenPlan choose_plan(const KnownRecords& known, const PlanRequest& request, const PassSource& passes,
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
    if (may_have_passes(heuristic, forced))
        if (auto chosen = plan_by_passes(heuristic, request, passes())) return *std::move(chosen);
    return {std::move(heuristic)};
}

}  // namespace clconv
