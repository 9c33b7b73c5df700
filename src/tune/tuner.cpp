// SPDX-License-Identifier: Apache-2.0
#include "tune/tuner.h"

#include "base/clock.h"
#include "plan_records/lookup.h"
#include "plan_records/tuned_plans.h"
#include "tune/device_arena.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace clconv {

namespace {

/// "WxHxC", the beginning of a problem's token and similar token.
std::string_view size_of(std::string_view token) { return token.substr(0, token.find(' ')); }

}  // namespace

std::vector<Answer> answers_in_use(const Problem& problem, const DeviceInfo& device, const Decisions& forced,
                                   const KernelSource& kernels, const CacheFolder& caches)
{
    TunedPlans plans(Tuning::automatic, caches, kernels.fingerprint(), [](const std::string& /*note*/) {});
    // Candidates all have special programs, so an answer does not name them. But general ones have fewer lengths.
    std::vector<std::string> fixed = decided(forced);
    fixed.emplace_back("programs=");
    std::vector<Answer> answers;
    for (const bool with_records : {true, false})
        for (const Programs programs : {Programs::special, Programs::general}) {
            Decisions decisions = forced;
            if (!decisions.programs) decisions.programs = programs;
            const ChosenPlan chosen = with_records ? plans.choose(problem, device, decisions)
                                                   : plans.choose_without_records(problem, device, decisions);
            Answer answer = decided(decisions_of(chosen.plan));
            std::erase_if(answer, [&](const std::string& decision) {
                const std::string key = decision.substr(0, decision.find('=') + 1);
                return std::ranges::any_of(fixed, [&](const std::string& other) { return other.starts_with(key); });
            });
            answers.push_back(std::move(answer));
        }
    return answers;
}

std::vector<Answer> known_answers(const std::vector<Record>& known, const DeviceInfo& device, const Problem& problem,
                                  Extent padded)
{
    constexpr std::size_t maximum = 12;
    const std::string image = token(problem);
    const std::string lines = similar_token(problem, padded);
    const std::string family = device_family(device.platform, device.name);
    std::vector<Answer> answers;
    for (const Record& record : known) {
        if (answers.size() == maximum) break;
        if (record.decisions.empty() || device_family(record.key.platform, record.key.device) != family) continue;
        if (size_of(record.key.problem) != size_of(image) && size_of(record.similar) != size_of(lines)) continue;
        if (std::find(answers.begin(), answers.end(), record.decisions) == answers.end())
            answers.push_back(record.decisions);
    }
    return answers;
}

Tuned tune_problem(Device& device, const KernelSource& kernels, const TuneRequest& request)
{
    const Problem& problem = request.problem;
    const Decisions& forced = request.forced;
    const auto start = Clock::now();
    const auto now_s = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    const DeviceInfo& info = device.info();
    const Plan heuristic = make_plan(problem, info.traits, forced);
    DeviceArena arena(device, kernels, problem);
    const Extent padded = padded_extent(heuristic);
    SearchSettings settings{.forced = forced,
                            .budget_s = request.budget_s - now_s(),
                            .now_s = now_s,
                            .candidates = request.candidates,
                            .known = known_answers(request.known, info, problem, padded)};
    settings.known.insert(settings.known.begin(), request.in_use.begin(), request.in_use.end());
    settings.heat =
        std::max(settings.heat, device.parallel_builds() + 1);  // plus the one to beat, which is built already
    Tuned tuned{problem, search(problem, info.traits, arena, settings), {}, 0};
    if (!request.in_use.empty())
        for (const TriedPlan& tried : tuned.found.attempts)
            if (tried.decisions == request.in_use.front()) tuned.found.in_use = tried;  // its latest comparison
    tuned.record = {.key = record_key(info, kernels.fingerprint(), problem, decided(forced)),
                    .similar = similar_token(problem, padded),
                    .decisions = tuned.found.decisions,
                    .plan = title_of(tuned.found.plan),
                    .ms = tuned.found.ms,
                    .heuristic_ms = tuned.found.heuristic_ms};
    tuned.seconds = now_s();
    return tuned;
}

}  // namespace clconv
