// SPDX-License-Identifier: Apache-2.0
#include "bench/measure.h"

#include "base/clock.h"
#include "base/errors.h"
#include "bench/floor.h"
#include "bench/trial.h"
#include "opencl/buffers.h"
#include "opencl/handles.h"
#include "passes/engine.h"
#include "passes/launcher.h"
#include "passes/sizes.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <string>

namespace clconv {
namespace {

/// Wall time of an image, when each trial enqueues its images `times` times in a queue of its own, in turns with the
/// others.
double series_ms(Device& device, std::deque<Trial>& trials, int times, int images)
{
    if (trials.size() == 1) return trials.front().series_ms(times);
    const auto start = Clock::now();
    std::deque<Launcher> launchers;
    for (std::size_t q = 0; q < trials.size(); ++q) launchers.emplace_back(device, device.handles().routes.at(q));
    for (int i = 0; i < times; ++i)
        for (std::size_t q = 0; q < trials.size(); ++q) {
            trials[q].enqueue(launchers[q]);
            (void)launchers[q].last();  // the event for which a batch's download waits
        }
    for (Launcher& launcher : launchers) launcher.flush();
    for (Launcher& launcher : launchers) (void)launcher.finish();
    return ms_since(start) / (static_cast<double>(times) * images * static_cast<double>(trials.size()));
}

}  // namespace

Measurement measure(Device& device, const KernelSource& kernels, const BenchCase& bench_case, int repeat)
{
    Measurement m;
    ChosenPlan chosen = bench_case.plans(bench_case.problem, device.info(), bench_case.decisions);
    m.plan = std::move(chosen.plan);
    m.plan_origin = std::move(chosen.origin);
    m.queues = bench_case.queues;
    m.images = bench_case.images;
    if (m.images > 1 && !can_share_launches(m.plan))
        throw InvalidProblem(
            "--images: a launch has several images only where work-groups share tiles, or lines of up to " +
            std::to_string(kMaxSharedLength) + " samples. This plan has neither:\n" + describe(m.plan));
    std::deque<WorkOnDevice> works;
    std::deque<Trial> trials;
    for (int q = 0; q < m.queues; ++q) {
        works.emplace_back(device, bench_case.problem, m.images);
        const auto start = Clock::now();
        trials.emplace_back(works.back(), kernels, m.plan);
        if (q == 0) m.build_ms = ms_since(start);
    }
    Trial& trial = trials.front();

    const int repeats = trial.times_a_series();
    std::vector<double> series, latencies;
    for (int i = 0; i < repeat; ++i) {
        series.push_back(series_ms(device, trials, repeats, m.images));
        latencies.push_back(trial.series_ms(1));
    }
    m.ms = spread_of(series);
    m.latency_ms = spread_of(latencies).median;
    const std::vector<PassTime> times = trial.pass_times(repeat);
    const std::vector<PassBytes> bytes = pass_bytes(m.plan);
    for (std::size_t p = 0; p < bytes.size(); ++p) m.passes.push_back({bytes[p].pass, times.at(p).ms, bytes[p].bytes});
    for (const MeasuredPass& pass : m.passes) m.bytes += pass.bytes;
    for (Trial& each : trials) m.relative_error = larger_error(m.relative_error, each.relative_error());
    m.allowed_error = trial.allowed_error();
    return m;
}

double copy_bandwidth(Device& device)
{
    const DeviceTraits& traits = device.info().traits;
    const std::uint64_t bytes =
        std::min<std::uint64_t>(traits.is_cpu ? 128u << 20 : 1u << 30, traits.max_allocation / 2);
    const cl::Buffer from = upload(device, std::vector<float>(bytes / sizeof(float), 0.5f));
    const cl::Buffer to = allocate(device, bytes);
    const cl::CommandQueue& queue = device.handles().plain_queue;
    double best = 0;
    for (int i = 0; i < 8; ++i) {
        const auto start = Clock::now();
        queue.enqueueCopyBuffer(from, to, 0, 0, bytes);
        queue.finish();
        best = std::max(best, 2e-6 * static_cast<double>(bytes) / ms_since(start));
    }
    return best;
}

}  // namespace clconv
