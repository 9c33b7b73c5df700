// SPDX-License-Identifier: Apache-2.0
// Times Richardson-Lucy on a device, against one convolution of the same image, both without the way to it and back.
//
//   measure_iterations SELECTOR SIZE PSF ITERATIONS [ACCELERATION [border=zero] [alone] [DECISION...]]
//                                       such as: measure_iterations gpu 2048 63 100 none row-registers=96
//
// The border of the iterations is masked, or zeros. alone: without the one convolution. DECISION: KEY=VALUE of a plan,
// as --decide has them, for the iterations. Random floats of one channel. Times are the device's, of each pass; the
// median of five images after the first.

#include "engine/convolver.h"
#include "engine/richardson_lucy_work.h"
#include "support/random_case.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string_view>

namespace {

using namespace clconv;

/// Seconds of each pass, and of all that are neither copies nor builds.
std::map<std::string, double> pass_times(Convolver& convolver, const ImageView& image,
                                         const std::shared_ptr<const Psf>& psf, std::string& plan)
{
    std::map<std::string, std::vector<double>> all;
    for (int round = 0; round < 6; ++round) {
        const auto result = convolver.convolve(image, psf, SampleType::float32);
        plan = result.plan;
        if (round == 0) continue;
        double sum = 0;
        for (const StageTime& time : result.times) {
            const bool is_pass = time.stage != stage::kUpload && time.stage != stage::kDownload &&
                                 time.stage != stage::kBuild && time.stage != stage::kPrepare &&
                                 time.stage != stage::kLaunchAndWait && time.stage != stage::kZeros;
            if (!is_pass) continue;
            all[std::string(time.stage)].push_back(time.time.count());
            sum += time.time.count();
        }
        all["all passes"].push_back(sum);
    }
    std::map<std::string, double> medians;
    for (auto& [stage, times] : all) {
        std::ranges::sort(times);
        medians[stage] = times[times.size() / 2];
    }
    return medians;
}

void print(const char* title, const std::map<std::string, double>& times, double parts)
{
    fmt::print("{}\n", title);
    for (const auto& [stage, time] : times)
        fmt::print("  {:<12} {:9.3f} ms   {:9.4f} ms each\n", stage, 1e3 * time, 1e3 * time / parts);
}

struct Request {
    int size = 0, taps = 0;
    RichardsonLucy how;
    Decisions decisions;
    bool alone = false;
};

void measure(const std::shared_ptr<Device>& device, const Request& request)
{
    const auto& [size, taps, how, decisions, alone] = request;
    const test::RandomImage image = test::random_image({size, size}, 1, SampleType::float32, 1);
    const auto psf = std::make_shared<const Psf>(test::random_psf({taps, taps}, 1, {taps / 2, taps / 2}, 2));
    std::string plan;
    double one_convolution = 0;
    if (!alone) {
        Convolver once(device, KernelSource::embedded(), ConvolveSettings{});
        const auto one = pass_times(once, image.view, psf, plan);
        print("one convolution", one, 1);
        one_convolution = one.at("all passes");
    }
    ConvolveSettings settings;
    settings.work = richardson_lucy_work(how);
    settings.decisions = decisions;
    settings.border = Border::zero;  // of an estimate that is not masked
    Convolver iterations(device, KernelSource::embedded(), settings);
    const auto all = pass_times(iterations, image.view, psf, plan);
    fmt::print("{}\n", plan);
    print("all iterations", all, how.iterations);
    if (!alone)
        fmt::print("an iteration over one convolution: {:.2f}\n",
                   all.at("all passes") / how.iterations / one_convolution);
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        if (argc < 5)
            throw std::runtime_error(
                "usage: measure_iterations SELECTOR SIZE PSF ITERATIONS [ACCELERATION "
                "[border=zero] [alone] [DECISION...]]");
        Request request;
        request.size = std::atoi(argv[2]);
        request.taps = std::atoi(argv[3]);
        request.how.iterations = std::atoi(argv[4]);
        if (argc > 5) request.how.acceleration = value_named<Acceleration>(argv[5]).value();
        for (int i = 6; i < argc; ++i) {
            if (argv[i] == std::string_view("border=zero"))
                request.how.is_masked = false;
            else if (argv[i] == std::string_view("alone"))
                request.alone = true;
            else
                decide(request.decisions, argv[i]);
        }
        const auto device = std::make_shared<Device>(select_devices(argv[1]).front());
        fmt::print("{}\n", device->info().name);
        measure(device, request);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "measure_iterations: {}\n", error.what());
        return 2;
    }
}
