// SPDX-License-Identifier: Apache-2.0
// Times a call of the library against what `clconv bench` times, the same plan on buffers of the device, in turns.
//
//   measure_library SELECTOR SIZE PSF [TURNS]     such as: measure_library cpu 1024 63 21
//
// Random floats of one channel. Prints medians in milliseconds and their ratios; the spread is that of the ratios'
// middle half.

#include "bench/trial.h"
#include "clconv/clconv.hpp"
#include "opencl/host_memory.h"
#include "plan_records/tuned_plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace clconv;

/// Where an array begins: `address` bytes behind the start of a page, of the default size or huge. NumPy's arrays of 4
/// MiB and more are in huge pages.
struct Place {
    bool is_huge = true;
    std::size_t address = 64;
};
std::byte* placed(Bytes& memory, std::size_t bytes, Place place)
{
    memory = place.is_huge ? huge_pages(bytes + place.address) : Bytes(bytes + place.address);
    return memory.data() + place.address;
}

struct Calls {
    const char* name;
    Place place;
    v0::Convolver convolver;
    bool is_started = false;  ///< start() and finish(), two at a time
    Bytes from = {}, to = {};
    v0::View image = {}, result = {};
    std::vector<double> ms = {}, ratios = {};
};

double series_ms(Calls& calls, int images)
{
    const auto start = std::chrono::steady_clock::now();
    v0::Convolver& convolver = calls.convolver;
    if (calls.is_started) convolver.start(calls.image, calls.result);
    for (int i = 0; i < images; ++i) {
        if (!calls.is_started) {
            static_cast<void>(convolver.run(calls.image, calls.result));
            continue;
        }
        if (i + 1 < images) convolver.start(calls.image, calls.result);
        static_cast<void>(convolver.finish());
    }
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / images;
}

double at_share(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void measure(const std::string& selector, int size, int psf_size, int rounds)
{
    const KernelSource kernels = KernelSource::embedded();
    const CacheFolder caches = CacheFolder::of_user();
    const DeviceInfo info = select_devices(selector).front();
    Device device(info, {caches.below("programs"), {}});
    const Problem problem{.image = {size, size}, .psf = {psf_size, psf_size}, .origin = {psf_size / 2, psf_size / 2}};
    Decisions decisions;
    decisions.programs = Programs::special;
    TunedPlans plans(Tuning::automatic, caches, kernels.fingerprint(), [](const std::string& /*note*/) {});
    WorkOnDevice work(device, problem);
    Trial trial(work, kernels, plans.choose(problem, info, decisions).plan);
    const int images = 4 * trial.times_a_series();

    const Psf& weights = work.work().psf;
    const v0::Device opened({{"device", info.index}});
    const v0::Psf psf(v0::interleaved(weights.weights.data(), psf_size, psf_size), {{"normalize", "none"}});
    const auto with = [&](const v0::Options& options) { return v0::Convolver(opened, psf, options); };
    const v0::Options special{{"decide", "programs=special"}};
    v0::Options trusting = special;
    trusting.set("nonfinite", "propagate");
    std::vector<Calls> all;
    all.push_back({"in place, huge pages", {true, 64}, with(special)});
    all.push_back({"the same, nonfinite propagate", {true, 64}, with(trusting)});
    all.push_back({"in place, small pages", {false, 64}, with(special)});
    all.push_back({"in place, two at a time", {true, 64}, with(special), true});
    all.push_back({"copied, huge pages", {true, 8}, with(special)});
    all.push_back({"copied, small pages", {false, 8}, with(special)});
    const std::size_t bytes = work.work().image.size();
    for (Calls& calls : all) {
        std::byte* const from = placed(calls.from, bytes, calls.place);
        std::memcpy(from, work.work().image.data(), bytes);
        // A photograph has no exact zeros to look for.
        for (float& sample : std::span(reinterpret_cast<float*>(from), bytes / sizeof(float)))
            sample = std::max(sample, 1e-4F);
        calls.image = v0::interleaved(reinterpret_cast<float*>(from), size, size);
        calls.result = v0::interleaved(reinterpret_cast<float*>(placed(calls.to, bytes, calls.place)), size, size);
        static_cast<void>(series_ms(calls, 3));
    }
    std::vector<double> bench, alone;
    for (int round = 0; round < rounds; ++round) {
        bench.push_back(trial.series_ms(images));
        double sum = 0;
        for (int i = 0; i < images; ++i) sum += trial.series_ms(1);
        alone.push_back(sum / images);
        for (Calls& calls : all) {
            calls.ms.push_back(series_ms(calls, images));
            calls.ratios.push_back(calls.ms.back() / bench.back());
        }
    }
    fmt::print("{}, {}x{} floats, PSF {}x{}, {} rounds of {} images\n", info.name, size, size, psf_size, psf_size,
               rounds, images);
    fmt::print("{:32} {:8.3f} ms\n", "bench", at_share(bench, 0.5));
    fmt::print("{:32} {:8.3f} ms\n", "bench, one image at a time", at_share(alone, 0.5));
    for (const Calls& calls : all)
        fmt::print("{:32} {:8.3f} ms  {:.3f} ({:.3f} to {:.3f})\n", calls.name, at_share(calls.ms, 0.5),
                   at_share(calls.ratios, 0.5), at_share(calls.ratios, 0.25), at_share(calls.ratios, 0.75));
}

}  // namespace

int main(int count, char** words)
{
    if (count < 4) {
        fmt::print(stderr, "measure_library SELECTOR SIZE PSF [TURNS]\n");
        return 2;
    }
    try {
        measure(words[1], std::atoi(words[2]), std::atoi(words[3]), count > 4 ? std::atoi(words[4]) : 21);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
