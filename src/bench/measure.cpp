// SPDX-License-Identifier: Apache-2.0
#include "bench/measure.h"

#include "base/clock.h"
#include "bench/floor.h"
#include "bench/trial.h"
#include "opencl/buffers.h"
#include "opencl/handles.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace clconv {
Measurement measure(Device& device, const KernelSource& kernels, const BenchCase& bench_case, int repeat)
{
    Measurement m;
    ChosenPlan chosen = bench_case.plans(bench_case.problem, device.info(), bench_case.decisions);
    m.plan = std::move(chosen.plan);
    m.plan_origin = std::move(chosen.origin);
    WorkOnDevice work(device, bench_case.problem);
    const auto start = Clock::now();
    Trial trial(work, kernels, m.plan);
    m.build_ms = ms_since(start);

    const int images = trial.images_a_series();
    std::vector<double> series, latencies;
    for (int i = 0; i < repeat; ++i) {
        series.push_back(trial.series_ms(images));
        latencies.push_back(trial.series_ms(1));
    }
    m.ms = spread_of(series);
    m.latency_ms = spread_of(latencies).median;
    const std::vector<PassTime> times = trial.pass_times(repeat);
    const std::vector<PassBytes> bytes = pass_bytes(m.plan);
    for (std::size_t p = 0; p < bytes.size(); ++p) m.passes.push_back({bytes[p].pass, times.at(p).ms, bytes[p].bytes});
    for (const MeasuredPass& pass : m.passes) m.bytes += pass.bytes;
    m.relative_error = trial.relative_error();
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
