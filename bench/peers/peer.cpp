// SPDX-License-Identifier: Apache-2.0
#include "peer.h"

#include "base/parse_extent.h"
#include "bench/random_work.h"
#include "bench/statistics.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <thread>

namespace clconv::peers {
namespace {

using Clock = std::chrono::steady_clock;

Problem problem_of(int width, int height, int channels, int psf)
{
    Problem problem;
    problem.image = {width, height};
    problem.channels = channels;
    problem.psf = {psf, psf};
    problem.origin = {psf / 2, psf / 2};
    problem.border = Border::zero;
    problem.layout = Layout::planar;
    return problem;
}

/// Against direct double sums, by clconv's own check.
double error_of(const Work& work, const std::vector<float>& result)
{
    const Problem problem = problem_of(work.width, work.height, work.channels, work.psf);
    Bytes bytes(result.size() * sizeof(float));
    std::memcpy(bytes.data(), result.data(), bytes.size());
    return relative_error(problem, random_work(problem), bytes);
}

double series_ms(Convolution& convolution, int images)
{
    const auto start = Clock::now();
    for (int i = 0; i < images; ++i) convolution.start();
    convolution.finish();
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count() / images;
}

/// As in src/bench/measure.cpp: a series lasts some milliseconds, so that starting and waiting do not count.
int images_a_series(Convolution& convolution)
{
    constexpr double series_length_ms = 12;
    const double one = std::max(1e-3, std::min(series_ms(convolution, 1), series_ms(convolution, 2)));
    return std::clamp(static_cast<int>(series_length_ms / one), 1, 200);
}

bool is_smooth(int n)
{
    for (const int factor : {2, 3, 5, 7})
        while (n % factor == 0) n /= factor;
    return n == 1;
}

}  // namespace

Options parse_options(int argc, char** argv, const std::string& about)
{
    CLI::App app(about);
    Options options;
    std::string size;
    options.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    app.add_option("--size", size, "Image size, WxH")->required();
    app.add_option("--channels", options.channels, "Planes of the image")->check(CLI::Range(1, 64));
    app.add_option("--psf-size", options.psf, "Side of the square PSF")->required()->check(CLI::Range(1, 8192));
    app.add_option("--repeat", options.repeat, "Series that are timed")->check(CLI::Range(1, 1000));
    app.add_option("--threads", options.threads, "Threads of a peer on the CPU")->check(CLI::Range(1, 1024));
    app.add_option("--device", options.device, "OpenCL device: index P:D, gpu, cpu, or a part of the name");
    app.add_option("--wisdom", options.wisdom, "File to keep FFTW's plans in");
    app.add_option("--arrangement", options.arrangements, "Only this one; may be repeated");
    try {
        app.parse(argc, argv);
        const Extent image = parse_extent("--size", size, Square::no);
        options.width = image.width;
        options.height = image.height;
    } catch (const CLI::ParseError& error) {
        std::exit(app.exit(error));
    }
    return options;
}

bool wants(const Options& options, const std::string& arrangement)
{
    const auto& list = options.arrangements;
    return list.empty() || std::find(list.begin(), list.end(), arrangement) != list.end();
}

Work make_work(const Options& options)
{
    const RandomWork random = random_work(problem_of(options.width, options.height, options.channels, options.psf));
    const auto image = random.image.as<float>();
    return {options.width,     options.height,  options.channels,
            options.psf,       options.psf / 2, {image.begin(), image.end()},
            random.psf.weights};
}

int good_size(int needed)
{
    int size = needed + needed % 2;
    while (!is_smooth(size)) size += 2;
    return size;
}

int padded_size(const Work& work, int image)
{
    const int longer_side = std::max(work.origin, work.psf - 1 - work.origin);
    return good_size(std::max(image + longer_side, work.psf));
}

std::vector<float> wrapped_psf(const Work& work, int width, int height, double scale)
{
    std::vector<float> plane(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (int j = 0; j < work.psf; ++j)
        for (int i = 0; i < work.psf; ++i) {
            const int x = (i - work.origin + width) % width;
            const int y = (j - work.origin + height) % height;
            const double weight = work.psf_weights[static_cast<std::size_t>(j) * work.psf + i];
            plane[static_cast<std::size_t>(y) * width + x] = static_cast<float>(weight * scale);
        }
    return plane;
}

double quick_ms(Convolution& convolution)
{
    constexpr double enough_ms = 100;
    (void)series_ms(convolution, 1);
    double minimum = HUGE_VAL, spent = 0;
    for (int i = 0; i < 3 || (i < 20 && spent < enough_ms); ++i) {
        const double ms = series_ms(convolution, 1);
        minimum = std::min(minimum, ms);
        spent += ms;
    }
    return minimum;
}

void report(const Label& label, const Options& options, const Work& work, Convolution& convolution)
{
    report_checked(label, options, convolution, error_of(work, convolution.result()));
}

void report_checked(const Label& label, const Options& options, Convolution& convolution, double relative_error)
{
    const int images = images_a_series(convolution);
    std::vector<double> series;
    for (int i = 0; i < options.repeat; ++i) series.push_back(series_ms(convolution, images));
    const Spread ms = spread_of(series);
    const nlohmann::ordered_json json = {{"peer", label.peer},
                                         {"arrangement", label.arrangement},
                                         {"detail", label.detail},
                                         {"size", fmt::format("{}x{}", options.width, options.height)},
                                         {"channels", options.channels},
                                         {"psf_size", fmt::format("{0}x{0}", options.psf)},
                                         {"ms", {{"median", ms.median}, {"min", ms.min}, {"mad", ms.mad}}},
                                         {"relative_error", relative_error}};
    fmt::print("{}\n", json.dump());
    std::fflush(stdout);
}

int guarded_main(const char* name, void (*body)(int, char**), int argc, char** argv)
{
    try {
        body(argc, argv);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", name, error.what());
        return 1;
    }
}

}  // namespace clconv::peers
