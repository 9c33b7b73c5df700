// SPDX-License-Identifier: Apache-2.0
#include "bench/trial.h"

#include "base/clock.h"
#include "bench/statistics.h"
#include "opencl/buffers.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>

namespace clconv {
namespace {

std::size_t result_bytes(const Problem& problem)
{
    return output_extent(problem).pixels() * static_cast<std::size_t>(problem.channels) * bytes_of(problem.output);
}

ImageBuffers images_on(Device& device, const Problem& problem, const RandomWork& work, int images)
{
    const std::size_t bytes = work.image.size(), count = static_cast<std::size_t>(images);
    Bytes all(bytes * count);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(all.data() + i * bytes, work.image.data(), bytes);
    return {.input = upload_bytes(device, all.data(), all.size()),
            .output = allocate(device, result_bytes(problem) * count),
            .bias = {},
            .restore = {},
            .images = images,
            .weight = {}};
}

/// The error that docs/conventions.md promises for the arithmetic, in a result of floats. In double only the rounding
/// to float is left: half a spacing, at most 2^-23 of the sample.
double computing_error(Precision precision)
{
    switch (precision) {
        case Precision::float32: return 1e-6;
        case Precision::half: return 1e-3;
        case Precision::float64: return 0x1p-24;
    }
    return 0;
}

double root_mean_square(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values) sum += value * value;
    return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

WorkOnDevice::WorkOnDevice(Device& device, const Problem& problem, int images)
    : device_(device),
      problem_(problem),
      work_(random_work(problem)),
      reference_(reference_samples(problem, work_)),
      result_(result_bytes(problem)),
      bands_(device)
{
    const GuardBands::Watch watch(bands_);
    image_ = images_on(device, problem, work_, images);
}

Trial::Trial(WorkOnDevice& work, const KernelSource& kernels, const Plan& plan)
    : work_(work), plan_(plan), bands_(work.device())
{
    const GuardBands::Watch watch(bands_);
    convolution_.emplace(work.device(), kernels, plan_);
    Launcher launcher(work.device());
    psf_ = convolution_->prepare(launcher, work.work().psf);
    // Samples are in [0, 1], and there is no bias to subtract.
    const SampleLevels levels{std::vector<double>(static_cast<std::size_t>(plan_.problem.channels)), 1};
    image_ = convolution_->between(work.image().input, work.image().output, psf_, levels, work.images());
    convolution_->convolve(launcher, image_, psf_);
    (void)launcher.finish();
}

double Trial::series_ms(int times)
{
    const auto start = Clock::now();
    Launcher launcher(work_.device(), Timing::off);
    for (int i = 0; i < times; ++i) enqueue(launcher);
    (void)launcher.finish();
    return ms_since(start) / times / work_.images();
}

int Trial::times_a_series()
{
    constexpr double wanted_ms = 12;
    const int images = work_.images();
    double one = series_ms(1) * images;
    if (one < wanted_ms) one = std::max(1e-3, std::min(one, series_ms(2) * images));
    return std::clamp(static_cast<int>(wanted_ms / one), 1, 200);
}

std::vector<PassTime> Trial::pass_times(int repeat, double share)
{
    std::vector<std::string> order;
    std::map<std::string, std::vector<double>> times;
    std::map<std::string, double> shares;
    for (int i = 0; i < repeat; ++i) {
        Launcher launcher(work_.device());
        launcher.only_first(share);
        enqueue(launcher);
        for (const StageTime& pass : launcher.finish()) {
            if (i == 0) order.push_back(pass.stage);
            times[pass.stage].push_back(pass.time.count() * 1e3 / work_.images());
            shares[pass.stage] = launcher.share_of(pass.stage);
        }
    }
    std::vector<PassTime> passes;
    for (const std::string& name : order) passes.push_back({name, spread_of(times[name]).median, shares[name]});
    return passes;
}

std::size_t Trial::launches()
{
    Launcher launcher(work_.device());
    enqueue(launcher);
    const std::size_t count = launcher.launches();
    (void)launcher.finish();
    return count;
}

double Trial::relative_error()
{
    Bytes& result = work_.result();
    const std::size_t last = result.size() * static_cast<std::size_t>(work_.images() - 1);
    Launcher launcher(work_.device(), Timing::off);
    enqueue(launcher);
    // A read of a few bytes takes some microseconds, so one of a large result takes longer than thousands of them.
    constexpr std::size_t large = std::size_t{64} << 20;
    const std::size_t sample = bytes_of(plan_.problem.output);
    if (result.size() < large)
        launcher.read(image_.output, result.data(), result.size(), last);
    else
        work_.reference().for_each_run(plan_.problem, [&](std::size_t first, std::size_t count) {
            launcher.read(image_.output, result.data() + first * sample, count * sample, last + first * sample);
        });
    (void)launcher.finish();
    return clconv::relative_error(plan_.problem, work_.reference(), result);
}

bool Trial::stayed_inside() const { return bands_.intact() && work_.bands().intact(); }

double Trial::allowed_error() const
{
    // Rounding to nearest costs 1/sqrt(12) of a code on average, over results of this root mean square: 0.5 after a
    // wide PSF, much less where light spreads far beyond the image. Twice that is allowed; a wrong index costs more.
    const Problem& problem = plan_.problem;
    const double computed = computing_error(problem.precision);
    const double code = 2 / 3.46 / root_mean_square(work_.reference().values);
    switch (problem.output) {
        case SampleType::u8: return computed + code / 255;
        case SampleType::u16: return computed + code / 65535;
        case SampleType::half: return computed + 0x1p-11;
        case SampleType::float32:
        case SampleType::float64: return computed;
    }
    return 0;
}

}  // namespace clconv
