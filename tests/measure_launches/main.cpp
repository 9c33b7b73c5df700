// SPDX-License-Identifier: Apache-2.0
// Times what launches take of the host: images of three small launches each, by one thread or several, each with a
// queue of its own, in one context or in two; and launches of kernels that have few buffers or many
// (docs/measurements/2026-11-27-h100.md).
//
//   measure_launches [PLATFORM]       the number of a platform, 0 by default
//
// Needs no other part of clconv. Prints microseconds an image, the lowest of seven times of 2000 images, and
// microseconds a launch, the lowest of nine times of 1500 launches.

#include "opencl/api.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kImages = 2000;
constexpr int kLaunches = 3;
constexpr int kFlushed = 8;  // images between two flushes, as in a batch
constexpr std::size_t kGroup = 256;

constexpr const char* kSource = R"(
    kernel void scale(global const float* from, global float* to, int count) {
        const int i = get_global_id(0);
        if (i < count) to[i] = from[i] * 0.999f + 0.5f;
    })";

/// A queue with buffers and kernels of its own.
class Lane {
public:
    Lane(const cl::Context& context, const cl::Device& device, int values)
        : values_(values),
          queue_(context, device),
          from_(context, CL_MEM_READ_WRITE, sizeof(float) * static_cast<std::size_t>(values)),
          to_(context, CL_MEM_READ_WRITE, sizeof(float) * static_cast<std::size_t>(values))
    {
        cl::Program program(context, std::string(kSource));
        program.build({device});
        for (int i = 0; i < kLaunches; ++i) kernels_.emplace_back(program, "scale");
        queue_.enqueueFillBuffer(from_, 1.0F, 0, sizeof(float) * static_cast<std::size_t>(values));
        queue_.finish();
    }

    void convolve(int images)
    {
        const std::size_t items = (static_cast<std::size_t>(values_) + kGroup - 1) / kGroup * kGroup;
        for (int image = 0; image < images; ++image) {
            for (cl::Kernel& kernel : kernels_) {
                kernel.setArg(0, from_);
                kernel.setArg(1, to_);
                kernel.setArg(2, values_);
                queue_.enqueueNDRangeKernel(kernel, cl::NullRange, items, kGroup);
            }
            if (image % kFlushed == kFlushed - 1) queue_.flush();
        }
        queue_.finish();
    }

private:
    cl_int values_;
    cl::CommandQueue queue_;
    cl::Buffer from_;
    cl::Buffer to_;
    std::vector<cl::Kernel> kernels_;
};

/// Microseconds an image.
double time_of(std::vector<Lane>& lanes)
{
    using Clock = std::chrono::steady_clock;
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 7; ++round) {
        std::atomic<std::size_t> ready = 0;
        std::vector<std::jthread> threads;
        const Clock::time_point start = Clock::now();
        for (Lane& lane : lanes)
            threads.emplace_back([&] {
                for (++ready; ready < lanes.size();) std::this_thread::yield();
                lane.convolve(kImages / static_cast<int>(lanes.size()));
            });
        threads.clear();  // which waits for them
        best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    return best / kImages;
}

/// A kernel whose parameters are `count` buffers. It reads the first and writes the second.
std::string source_with(int count)
{
    std::string parameters, uses;
    for (int i = 0; i < count; ++i) {
        parameters += fmt::format("{}global float* restrict b{}", i == 0 ? "" : ", ", i);
        if (i > 1) uses += fmt::format("if (i < 0) b{}[0] = 1; ", i);  // so that no compiler forgets it
    }
    return fmt::format("kernel void scale({}) {{ const int i = get_global_id(0); {}b1[i] = b0[i] * 0.5f; }}",
                       parameters, uses);
}

/// Microseconds that a launch of `buffers` buffers takes, of which the first `given` exist and the others are null.
double launch_time(const cl::Context& context, const cl::Device& device, int buffers, int given)
{
    using Clock = std::chrono::steady_clock;
    constexpr std::size_t values = 1024;
    constexpr int launches = 1500;
    cl::Program program(context, source_with(buffers));
    program.build({device});
    cl::Kernel kernel(program, "scale");
    std::vector<cl::Buffer> all(static_cast<std::size_t>(buffers));
    for (int i = 0; i < buffers; ++i) {
        cl::Buffer& buffer = all[static_cast<std::size_t>(i)];
        if (i < given) buffer = cl::Buffer(context, CL_MEM_READ_WRITE, sizeof(float) * values);
        kernel.setArg(static_cast<cl_uint>(i), buffer);
    }
    const cl::CommandQueue queue(context, device);
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 9; ++round) {
        const Clock::time_point start = Clock::now();
        for (int i = 0; i < launches; ++i) queue.enqueueNDRangeKernel(kernel, cl::NullRange, values, kGroup);
        queue.finish();
        best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    return best / launches;
}

}  // namespace

int main(int count, char** arguments)
{
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    std::vector<cl::Device> devices;
    platforms.at(count > 1 ? static_cast<std::size_t>(std::atoi(arguments[1])) : 0)
        .getDevices(CL_DEVICE_TYPE_ALL, &devices);
    const cl::Device device = devices.at(0);
    fmt::print("{}\n", device.getInfo<CL_DEVICE_NAME>());
    const std::vector<cl::Context> contexts{cl::Context(device), cl::Context(device)};
    for (const int values : {1024, 512 * 512 * 3})
        for (const int threads : {1, 2, 4})
            for (const std::size_t used : {1U, 2U}) {
                if (static_cast<int>(used) > threads) continue;
                std::vector<Lane> lanes;
                for (int i = 0; i < threads; ++i)
                    lanes.emplace_back(contexts[static_cast<std::size_t>(i) % used], device, values);
                fmt::print("{:7} values, {} threads, {} contexts: {:6.2f} us an image of {} launches\n", values,
                           threads, used, time_of(lanes), kLaunches);
            }
    for (const int buffers : {2, 4, 6, 8, 10, 12})
        fmt::print("{:2} buffers: {:.2f} us a launch; all but two null: {:.2f} us\n", buffers,
                   launch_time(contexts[0], device, buffers, buffers), launch_time(contexts[0], device, buffers, 2));
}
