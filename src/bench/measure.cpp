#include "bench/measure.h"

#include "bench/floor.h"
#include "bench/random_work.h"
#include "engine/engine.h"
#include "opencl/buffers.h"
#include "opencl/handles.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace clconv {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// An engine with its data on the device.
struct Bound {
    std::unique_ptr<Engine> engine;
    ImageBuffers image;
    PreparedPsf psf;
};

Bound bind(Device& device, const KernelSource& kernels, const Plan& plan, const RandomWork& work)
{
    const auto channels = static_cast<std::size_t>(plan.problem.channels);
    const std::vector<float> no_bias(channels);
    const std::uint64_t result = plan.output.pixels() * channels * bytes_of(plan.problem.output);
    Bound bound{make_engine({device, kernels, plan}), {}, {}};
    bound.image = {.input = upload_bytes(device, work.image.data(), work.image.size()),
                   .output = allocate(device, result),
                   .bias = upload(device, no_bias),
                   .restore = upload(device, no_bias),
                   .weight = {}};
    Launcher launcher(device);
    bound.psf = bound.engine->prepare(launcher, work.psf);
    bound.image.weight = bound.psf.weight;
    bound.engine->convolve(launcher, bound.image, bound.psf);  // kernels are compiled to the end at their first launch
    (void)launcher.finish();
    return bound;
}

double series_ms(Device& device, Bound& bound, int images)
{
    const auto start = Clock::now();
    Launcher launcher(device, Timing::off);
    for (int i = 0; i < images; ++i) bound.engine->convolve(launcher, bound.image, bound.psf);
    (void)launcher.finish();
    return ms_since(start) / images;
}

/// Enough images for a series to last some milliseconds: launches and waiting must not count.
int images_a_series(Device& device, Bound& bound)
{
    constexpr double wanted_ms = 12;
    const double one = std::max(1e-3, std::min(series_ms(device, bound, 1), series_ms(device, bound, 2)));
    return std::clamp(static_cast<int>(wanted_ms / one), 1, 200);
}

std::vector<MeasuredPass> measure_passes(Device& device, Bound& bound, const Plan& plan, int repeat)
{
    std::vector<MeasuredPass> passes;
    for (const PassBytes& pass : pass_bytes(plan)) {
        passes.push_back({pass.pass, 0, pass.bytes});
    }
    std::vector<std::vector<double>> times(passes.size());
    for (int i = 0; i < repeat; ++i) {
        Launcher launcher(device);
        bound.engine->convolve(launcher, bound.image, bound.psf);
        const auto measured = launcher.finish();
        for (std::size_t p = 0; p < passes.size(); ++p) times[p].push_back(measured.at(p).time.count() * 1e3);
    }
    for (std::size_t p = 0; p < passes.size(); ++p) passes[p].ms = spread_of(times[p]).median;
    return passes;
}

}  // namespace

Measurement measure(Device& device, const KernelSource& kernels, const BenchCase& bench_case, int repeat)
{
    Measurement m;
    m.plan = make_plan(bench_case.problem, device.info().traits, bench_case.decisions);
    const RandomWork work = random_work(bench_case.problem);
    const auto start = Clock::now();
    Bound bound = bind(device, kernels, m.plan, work);
    m.build_ms = ms_since(start);

    const int images = images_a_series(device, bound);
    std::vector<double> series, latencies;
    for (int i = 0; i < repeat; ++i) {
        series.push_back(series_ms(device, bound, images));
        latencies.push_back(series_ms(device, bound, 1));
    }
    m.ms = spread_of(series);
    m.latency_ms = spread_of(latencies).median;
    m.passes = measure_passes(device, bound, m.plan, repeat);
    for (const MeasuredPass& pass : m.passes) m.bytes += pass.bytes;

    Bytes result(m.plan.output.pixels() * static_cast<std::size_t>(bench_case.problem.channels) *
                 bytes_of(bench_case.problem.output));
    Launcher launcher(device);
    launcher.read(bound.image.output, result.data(), result.size());
    (void)launcher.finish();
    m.relative_error = relative_error(bench_case.problem, work, result);
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
