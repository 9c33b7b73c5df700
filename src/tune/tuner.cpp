#include "tune/tuner.h"

#include "tune/device_arena.h"

#include <chrono>

namespace clconv {

Tuned tune_problem(Device& device, const KernelSource& kernels, const Problem& problem, const Decisions& forced,
                   double budget_s)
{
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const auto now_s = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    const DeviceInfo& info = device.info();
    const Plan heuristic = make_plan(problem, info.traits, forced);
    DeviceArena arena(device, kernels, problem);
    const SearchSettings settings{.forced = forced, .budget_s = budget_s - now_s(), .now_s = now_s};
    Tuned tuned{problem, search(problem, info.traits, arena, settings), {}, 0};
    const std::string text = describe(tuned.found.plan);
    tuned.record = {.key = record_key(info, kernels.fingerprint(), problem, decided(forced)),
                    .similar = similar_token(problem, {heuristic.x.length, heuristic.y.length}),
                    .decisions = tuned.found.decisions,
                    .plan = text.substr(0, text.find('\n')),
                    .ms = tuned.found.ms,
                    .heuristic_ms = tuned.found.heuristic_ms};
    tuned.seconds = now_s();
    return tuned;
}

}  // namespace clconv
