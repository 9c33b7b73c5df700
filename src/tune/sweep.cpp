// SPDX-License-Identifier: Apache-2.0
#include "tune/sweep.h"

#include "base/ceil_div.h"
#include "base/errors.h"
#include "base/split.h"
#include "bench/floor.h"
#include "fft/radix.h"
#include "tune/device_arena.h"
#include "tune/sampling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace clconv {
namespace {

SweepPoint point_of(std::string label, Answer decisions)
{
    SweepPoint point;
    point.label = std::move(label);
    point.decisions = std::move(decisions);
    return point;
}

Sweep radix_sweep(const Problem& problem, const Decisions& forced)
{
    Sweep sweep{"largest radix", problem, {}};
    for (const Radix& radix : supported_radices()) {
        // Powers of two are the radices of the published studies. Other radices need other line lengths.
        if ((radix.size & (radix.size - 1)) != 0) continue;
        SweepPoint point = point_of(std::to_string(radix.size), {fmt::format("row-largest={}", radix.size),
                                                                 fmt::format("column-largest={}", radix.size)});
        const bool loops = radix.butterfly == Butterfly::generic;
        if (loops && !forced.residence) point.decisions.emplace_back("residence=global");
        if (loops && forced.residence == Residence::local)
            point.problem =
                "radices above 32 are loops over an array; a work-group's kernel around one takes minutes "
                "to build";
        sweep.points.push_back(std::move(point));
    }
    return sweep;
}

Sweep sweep_of(const Question& question, const Problem& problem)
{
    Sweep sweep{question.name, problem, {point_of("as planned", {})}};
    for (const Answer& answer : question.answers)
        sweep.points.push_back(point_of(fmt::format("{}", fmt::join(answer, " ")), answer));
    return sweep;
}

/// "row-items=32,64" or "order": the given values, else the listed ones.
Sweep key_sweep(const std::string& kind, const Problem& problem)
{
    const std::size_t equals = kind.find('=');
    const std::string key = kind.substr(0, equals);
    const std::vector<std::string_view> known = decision_names();
    if (std::ranges::find(known, key) == known.end())
        throw InvalidProblem(fmt::format("--sweep {}: no such sweep; use radix, shape, method, all, or a decision: {}",
                                         kind, fmt::join(decision_keys(), ", ")));
    Question question{Topic::variant, key, {}};
    const auto add = [&](std::string_view value) { question.answers.push_back({fmt::format("{}={}", key, value)}); };
    if (equals == std::string::npos)
        for (const std::string& value : listed_values(key)) add(value);
    else
        for (const std::string_view value : split(std::string_view(kind).substr(equals + 1), ',')) add(value);
    if (question.answers.empty())
        throw InvalidProblem(fmt::format("--sweep {}: say which values, as in {}=A,B", kind, key));
    return sweep_of(question, problem);
}

/// Fills in the plan, or the reason why there is none.
std::optional<Plan> plan_point(SweepPoint& point, const Problem& problem, const DeviceTraits& traits,
                               const Decisions& forced)
{
    if (!point.problem.empty()) return std::nullopt;
    Checked check = checked(problem, traits, forced, point.decisions);
    if (!check.plan) {
        point.problem = fmt::format("{}: {}", check.rejection.constraint, check.rejection.reason);
        return std::nullopt;
    }
    const Plan& plan = *check.plan;
    point.plan = describe_work(plan);
    point.bytes = moved_bytes(plan);
    if (plan.is_fft()) {
        const FftPlan& fft = plan.fft();
        point.padded = to_string(padded_extent(plan));
        point.radices = fmt::format("{} {}", fmt::join(fft.rows.radices, "."), fmt::join(fft.columns.radices, "."));
    }
    return std::move(check.plan);
}

/// fft: bytes that lines in global memory move in addition to those of the passes.
std::uint64_t global_line_bytes(const Plan& plan)
{
    const FftPlan& fft = plan.fft();
    std::uint64_t bytes = 0;
    const std::uint64_t complex_bytes = 2 * scalar_bytes(plan.problem.precision);
    const auto channels = static_cast<std::uint64_t>(plan.problem.channels);
    if (fft.rows.residence == Residence::global) {
        const int together = fft.spectrum.rows_together;
        const auto pairs = [&](int rows) { return static_cast<std::uint64_t>(rounded_up(rows, together)) / 2; };
        // Each direction writes its lines once, reads and writes them in each stage, and reads them once.
        bytes += channels * (pairs(plan.problem.image.height) + pairs(plan.output.height)) * fft.x.length *
                 complex_bytes * (2 + 2 * fft.rows.radices.size());
    }
    if (fft.columns.residence == Residence::global)
        // Forward and inverse, and the product in between reads and writes too.
        bytes += channels * fft.spectrum.columns * fft.y.length * complex_bytes * (4 + 4 * fft.columns.radices.size());
    return bytes;
}

/// fft: bytes of the spectra between the launches of separate column passes: each writes, or reads, or both.
std::uint64_t separate_bytes(const Plan& plan)
{
    const FftPlan& fft = plan.fft();
    if (fft.passes == Passes::fused || fft.columns.residence == Residence::global) return 0;
    const auto planes = static_cast<std::uint64_t>(fft.planes_of(plan.problem.channels));
    return 4 * planes * fft.spectrum.columns * fft.y.length * 2 * scalar_bytes(plan.problem.precision);
}

}  // namespace

std::uint64_t moved_bytes(const Plan& plan)
{
    std::uint64_t bytes = plan.is_fft() ? global_line_bytes(plan) + separate_bytes(plan) : 0;
    for (const PassBytes& pass : pass_bytes(plan)) bytes += pass.bytes;
    return bytes;
}

std::vector<Sweep> planned_sweeps(const std::string& kind, const Problem& problem, const DeviceTraits& traits,
                                  const Decisions& forced)
{
    if (kind == "radix") return {radix_sweep(problem, forced)};
    const bool all = kind == "all";
    if (!all && kind != "shape" && kind != "method") return {key_sweep(kind, problem)};
    std::vector<Sweep> sweeps;
    if (all) sweeps.push_back(radix_sweep(problem, forced));
    for (const Question& question : questions(problem, traits))
        if (all || (kind == "shape" && question.topic == Topic::shape) ||
            (kind == "method" && question.topic == Topic::method))
            sweeps.push_back(sweep_of(question, problem));
    if (sweeps.empty())
        throw InvalidProblem(
            fmt::format("--sweep {}: the plan of {} on this device has no such choice", kind, token(problem)));
    return sweeps;
}

void measure_sweep(Sweep& sweep, Device& device, const KernelSource& kernels, const Decisions& forced,
                   const std::function<bool()>& out_of_time)
{
    DeviceArena arena(device, kernels, sweep.problem);
    std::vector<SweepPoint*> waiting;
    std::vector<Plan> plans;
    const auto measure_waiting = [&] {
        const std::vector<std::string> complaints = arena.enter(plans, [&](std::size_t) { return out_of_time(); });
        std::vector<std::size_t> ready;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            waiting[i]->problem = complaints[i];
            if (complaints[i].empty()) ready.push_back(i);
        }
        constexpr int rounds = 7;
        const auto standings = sample_round_robin(ready.size(), [&](std::size_t i) { return arena.sample(ready[i]); },
                                                  {.minimum = rounds, .maximum = rounds, .stop = {}});
        for (std::size_t i = 0; i < ready.size(); ++i) {
            SweepPoint& point = *waiting[ready[i]];
            point.ms = standings[i].ms;
            point.launches = arena.trial(ready[i]).launches();
            point.passes = arena.trial(ready[i]).pass_times(5);
        }
        waiting.clear();
        plans.clear();
    };
    constexpr std::size_t at_once = 8;
    for (SweepPoint& point : sweep.points) {
        const auto plan = plan_point(point, sweep.problem, device.info().traits, forced);
        if (!plan) continue;
        waiting.push_back(&point);
        plans.push_back(*plan);
        if (plans.size() >= std::min(at_once, arena.capacity(*plan))) measure_waiting();
    }
    if (!plans.empty()) measure_waiting();
}

}  // namespace clconv
