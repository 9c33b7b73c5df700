// SPDX-License-Identifier: Apache-2.0
// Richardson-Lucy as one would write it with VkFFT on OpenCL: two of its convolutions an iteration, and a launch
// between them each for what is pointwise. Zero border, nothing weighted, the image of the estimate's size. The
// estimate and the data stay on the device; VkFFT knows which rows and columns are zero.
//
// Checked against direct double sums, on a small image. The time is that of an iteration, of launches that follow each
// other.

#include "vkfft_convolution.h"

#include "bench/statistics.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace clconv::peers {
namespace {

using Clock = std::chrono::steady_clock;

/// Work-items are the samples of the padded plane, whose margins must be zero before each convolution.
constexpr const char* kPointwise = R"(
__kernel void ratio(__global float *results, uint pitch, __global const float *data, uint width, uint height)
{
    const size_t x = get_global_id(0), y = get_global_id(1);
    const bool is_inside = x < width && y < height;
    results[y * pitch + x] = is_inside ? data[y * width + x] / fmax(results[y * pitch + x], 1e-6f) : 0;
}

__kernel void update(__global float *factors, uint pitch, __global float *estimate, uint width, uint height)
{
    const size_t x = get_global_id(0), y = get_global_id(1);
    const bool is_inside = x < width && y < height;
    const float next = is_inside ? estimate[y * width + x] * fmax(factors[y * pitch + x], 0.0f) : 0;
    if (is_inside) estimate[y * width + x] = next;
    factors[y * pitch + x] = next;
}
)";

Work mirrored(Work work)
{
    std::reverse(work.psf_weights.begin(), work.psf_weights.end());
    work.origin = work.psf - 1 - work.origin;
    return work;
}

/// Samples above 0, and a PSF that sums to 1: what Richardson-Lucy is for.
Work of_light(Work work)
{
    for (float& sample : work.image) sample = std::abs(sample) + 0.5f;
    double sum = 0;
    for (const double weight : work.psf_weights) sum += std::abs(weight);
    for (double& weight : work.psf_weights) weight = std::abs(weight) / sum;
    return work;
}

class Iterations {
public:
    Iterations(const Work& work, Device& device, int skipped)
        : work_(work),
          mirrored_(mirrored(work)),
          device_(device),
          there_(work_, device, Margins::computed, skipped, {}),
          back_(mirrored_, device, Margins::computed, skipped, there_.data()),
          data_(zeroed(device, work.plane())),
          estimate_(zeroed(device, work.plane())),
          program_(device.handles().context, kPointwise, true)
    {
        const cl::CommandQueue& queue = device.handles().plain_queue;
        queue.enqueueWriteBuffer(data_, CL_TRUE, 0, work.plane() * sizeof(float), work.image.data());
        const auto prepare = [&](const char* name, const cl::Buffer& plane) {
            cl::Kernel kernel(program_, name);
            kernel.setArg(0, there_.data());
            kernel.setArg(1, static_cast<cl_uint>(there_.pitch()));
            kernel.setArg(2, plane);
            kernel.setArg(3, static_cast<cl_uint>(work_.width));
            kernel.setArg(4, static_cast<cl_uint>(work_.height));
            return kernel;
        };
        ratio_ = prepare("ratio", data_);
        update_ = prepare("update", estimate_);
    }

    /// Begins with the data as the estimate.
    void begin()
    {
        const Planes padded = {work_.width, work_.height, 1, there_.pitch(), 0};
        device_.handles().plain_queue.enqueueFillBuffer(there_.data(), 0.0f, 0, there_.bytes());
        write_planes(device_, there_.data(), padded, work_.image.data());
        device_.handles().plain_queue.enqueueCopyBuffer(data_, estimate_, 0, 0, work_.plane() * sizeof(float));
    }

    void iterate()
    {
        there_.start();
        run(ratio_);
        back_.start();
        run(update_);
    }

    void finish() { device_.handles().plain_queue.finish(); }

    std::vector<float> estimate()
    {
        std::vector<float> samples(work_.plane());
        device_.handles().plain_queue.enqueueReadBuffer(estimate_, CL_TRUE, 0, samples.size() * sizeof(float),
                                                        samples.data());
        return samples;
    }

    [[nodiscard]] std::string detail() const { return there_.detail(); }

private:
    void run(const cl::Kernel& kernel)
    {
        const cl::NDRange all(there_.pitch(), there_.bytes() / sizeof(float) / there_.pitch());
        device_.handles().plain_queue.enqueueNDRangeKernel(kernel, cl::NullRange, all, cl::NullRange);
    }

    Work work_, mirrored_;
    Device& device_;
    VkfftConvolution there_, back_;
    cl::Buffer data_, estimate_;
    cl::Program program_;
    cl::Kernel ratio_, update_;
};

/// The convolution by direct sums, zero border.
std::vector<double> direct(const Work& work, const std::vector<double>& image)
{
    std::vector<double> sums(image.size());
    for (int y = 0; y < work.height; ++y)
        for (int x = 0; x < work.width; ++x)
            for (int v = 0; v < work.psf; ++v)
                for (int u = 0; u < work.psf; ++u) {
                    const int from_x = x - u + work.origin, from_y = y - v + work.origin;
                    if (from_x < 0 || from_y < 0 || from_x >= work.width || from_y >= work.height) continue;
                    sums[static_cast<std::size_t>(y) * work.width + x] +=
                        work.psf_weights[static_cast<std::size_t>(v) * work.psf + u] *
                        image[static_cast<std::size_t>(from_y) * work.width + from_x];
                }
    return sums;
}

/// The largest difference from direct sums after three iterations, over the largest sample, on a small image.
double error_of_small_image(Device& device, int psf)
{
    Options options;
    options.width = 120;
    options.height = 75;
    options.psf = std::min(psf, 15);
    const Work work = of_light(make_work(options)), back = mirrored(work);
    Iterations iterations(work, device, 0);
    iterations.begin();
    const std::vector<double> data(work.image.begin(), work.image.end());
    std::vector<double> expected = data;
    for (int count = 0; count < 3; ++count) {
        iterations.iterate();
        std::vector<double> ratios = direct(work, expected);
        std::ranges::transform(data, ratios, ratios.begin(), std::divides());
        std::ranges::transform(direct(back, ratios), expected, expected.begin(), std::multiplies());
    }
    const std::vector<float> found = iterations.estimate();
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        difference = std::max(difference, std::abs(found[i] - expected[i]));
        largest = std::max(largest, expected[i]);
    }
    return difference / largest;
}

Spread times_of(Iterations& iterations, int repeat)
{
    constexpr int iterations_a_series = 100;
    std::vector<double> times;
    for (int series = 0; series <= repeat; ++series) {
        iterations.begin();
        iterations.finish();
        const auto start = Clock::now();
        for (int i = 0; i < iterations_a_series; ++i) iterations.iterate();
        iterations.finish();
        const std::chrono::duration<double, std::milli> time = Clock::now() - start;
        if (series > 0) times.push_back(time.count() / iterations_a_series);
    }
    return spread_of(times);
}

/// The fastest of several padded sizes, because some take VkFFT ten times as long as the next.
void run(int argc, char** argv)
{
    constexpr int sizes = 8;
    const Options options = parse_options(argc, argv, "Times Richardson-Lucy with VkFFT on OpenCL: ms an iteration");
    const std::unique_ptr<Device> device = open_device(options);
    const double error = error_of_small_image(*device, options.psf);
    if (!(error < 1e-4)) throw std::runtime_error(fmt::format("wrong: {:.1e} of the largest sample", error));
    const Work work = of_light(make_work(options));
    Spread best;
    std::string detail;
    for (int skipped = 0; skipped < sizes; ++skipped) {
        Iterations iterations(work, *device, skipped);
        const Spread spread = times_of(iterations, options.repeat);
        if (!detail.empty() && spread.median >= best.median) continue;
        best = spread;
        detail = iterations.detail();
    }
    const nlohmann::json line = {{"peer", "vkfft"},
                                 {"arrangement", "iterations"},
                                 {"detail", detail},
                                 {"size", fmt::format("{}x{}", options.width, options.height)},
                                 {"channels", 1},
                                 {"psf_size", options.psf},
                                 {"ms", {{"median", best.median}, {"min", best.min}, {"mad", best.mad}}},
                                 {"relative_error", error}};
    fmt::print("{}\n", line.dump());
}

}  // namespace
}  // namespace clconv::peers

int main(int argc, char** argv)
{
    return clconv::peers::guarded_main("vkfft_iterations_peer", clconv::peers::run, argc, argv);
}
