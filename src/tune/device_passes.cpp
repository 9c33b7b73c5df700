// SPDX-License-Identifier: Apache-2.0
#include "tune/device_passes.h"

#include "bench/statistics.h"
#include "passes/pass_names.h"
#include "passes/recipes.h"
#include "tune/device_arena.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <span>

namespace clconv {
namespace {

/// Rounds of all plans, and launches of each in a round: one slow moment spoils no median. On a CPU the least counts,
/// because other processes make times longer and never shorter.
constexpr int kRounds = 3;
constexpr int kLaunchesARound = 3;

constexpr std::array<const char*, 3> kNamesOfPasses = {pass::kRows, pass::kColumns, pass::kRowsBack};

/// Adds the times of a share of the work-groups to those of the plans that entered without complaint. Every other round
/// runs backwards.
void time_passes(DeviceArena& arena, double share, bool is_cpu, std::span<PlanTimes> plans)
{
    struct Samples {
        std::vector<double> ms;
        double share = 1;
    };
    std::vector<std::map<std::string, Samples>> samples(plans.size());
    for (int round = 0; round < kRounds; ++round)
        for (std::size_t n = 0; n < plans.size(); ++n) {
            const std::size_t i = round % 2 ? plans.size() - 1 - n : n;
            if (!plans[i].complaint.empty()) continue;
            for (const PassTime& pass : arena.trial(i).pass_times(kLaunchesARound, share)) {
                samples[i][pass.name].ms.push_back(pass.ms);
                samples[i][pass.name].share = pass.share;
            }
        }
    for (std::size_t i = 0; i < plans.size(); ++i) {
        PlanTimes& plan = plans[i];
        for (std::size_t kind = 0; kind < kNamesOfPasses.size() && plan.complaint.empty(); ++kind) {
            const auto found = samples[i].find(kNamesOfPasses[kind]);
            const Spread spread = found == samples[i].end() ? Spread() : spread_of(found->second.ms);
            const double ms = is_cpu ? spread.min : spread.median;
            if (ms > 0)
                plan.passes[kind].push_back({found->second.share, std::round(ms * 1e6)});
            else
                plan.complaint = "the device's clock has no time for a pass";
        }
    }
}

}  // namespace

DevicePasses::DevicePasses(Device& device, const KernelSource& kernels)
    : device_(device), kernels_(kernels), ahead_({std::shared_ptr<void>(), &device}, kernels)
{
}

void DevicePasses::expect(const Problem& problem, const std::vector<Plan>& plans)
{
    if (!ahead_.helps()) return;
    ahead_.expect(problem, [&] {
        std::vector<Recipe> programs;
        for (const Plan& plan : plans) {
            const std::vector<Recipe> more = recipes_of(plan, device_.info().traits);
            programs.insert(programs.end(), more.begin(), more.end());
        }
        return programs;
    });
}

std::vector<PlanTimes> DevicePasses::measure(const Problem& problem, const std::vector<Plan>& plans,
                                             const std::vector<double>& shares,
                                             const std::function<bool(std::size_t)>& out_of_time)
{
    std::vector<PlanTimes> times(plans.size());
    DeviceArena arena(device_, kernels_, problem);
    const std::size_t capacity = arena.capacity(plans.front());
    for (std::size_t first = 0; first < plans.size(); first += capacity) {
        const std::size_t count = std::min(capacity, plans.size() - first);
        const auto begin = plans.begin() + static_cast<std::ptrdiff_t>(first);
        const std::vector<std::string> complaints = arena.enter({begin, begin + static_cast<std::ptrdiff_t>(count)},
                                                                [&](std::size_t i) { return out_of_time(first + i); });
        for (std::size_t i = 0; i < count; ++i) times[first + i].complaint = complaints[i];
        for (const double share : shares)
            time_passes(arena, share, device_.info().traits.is_cpu, std::span(times).subspan(first, count));
    }
    return times;
}

}  // namespace clconv
