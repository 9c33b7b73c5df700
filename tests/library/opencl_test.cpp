// SPDX-License-Identifier: Apache-2.0
// Images in the buffers of a context that the library has not made, against direct double sums.

#define CL_TARGET_OPENCL_VERSION 120
#include "clconv/opencl.hpp"

#include "library/support.h"

#include "conv/border.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace clconv::test {
namespace {

constexpr Extent kImageExtent{37, 29};

/// The same device as in the other tests.
cl_device_id device_id()
{
    const std::string index = device().info().index;
    const std::size_t platform = std::strtoul(index.c_str(), nullptr, 10);
    const std::size_t number = std::strtoul(index.c_str() + index.find(':') + 1, nullptr, 10);
    cl_uint count = 0;
    clGetPlatformIDs(0, nullptr, &count);
    std::vector<cl_platform_id> platforms(count);
    clGetPlatformIDs(count, platforms.data(), nullptr);
    clGetDeviceIDs(platforms.at(platform), CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
    std::vector<cl_device_id> devices(count);
    clGetDeviceIDs(platforms.at(platform), CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
    return devices.at(number);
}

class BuffersOfAContext : public testing::Test {
protected:
    BuffersOfAContext()
        : id_(device_id()),
          context_(clCreateContext(nullptr, 1, &id_, nullptr, nullptr, nullptr)),
          queue_(clCreateCommandQueue(context_, id_, 0, nullptr)),
          device_(api::device_in(context_, id_))
    {
    }
    ~BuffersOfAContext() override
    {
        for (cl_mem memory : buffers_) clReleaseMemObject(memory);
        clReleaseCommandQueue(queue_);
        clReleaseContext(context_);
    }

    [[nodiscard]] cl_mem buffer(std::size_t bytes)
    {
        return buffers_.emplace_back(clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, nullptr));
    }

    [[nodiscard]] api::BufferView place_for(const Samples& samples)
    {
        return {buffer(samples.bytes.size()), samples.type, samples.extent.width, samples.extent.height,
                samples.channels};
    }

    void write(const Samples& samples, const api::BufferView& to)
    {
        ASSERT_EQ(clEnqueueWriteBuffer(queue_, to.memory, CL_FALSE, 0, samples.bytes.size(), samples.bytes.data(), 0,
                                       nullptr, nullptr),
                  CL_SUCCESS);
    }

    void read(const api::BufferView& from, Samples& samples, cl_uint count = 0, const cl_event* wait = nullptr)
    {
        ASSERT_EQ(clEnqueueReadBuffer(queue_, from.memory, CL_TRUE, 0, samples.bytes.size(), samples.bytes.data(),
                                      count, wait, nullptr),
                  CL_SUCCESS);
        read_values(samples);
    }

    /// The result, without any wait for the device before it is read.
    [[nodiscard]] Samples convolved(const Samples& image, api::SampleType type, const api::Psf& psf,
                                    const api::Options& options)
    {
        api::BufferConvolver convolver(device_, psf, options);
        const api::Size size = convolver.result_size(image.extent.width, image.extent.height);
        Samples result = empty(type, {size.width, size.height}, image.channels);
        const api::BufferView from = place_for(image);
        const api::BufferView to = place_for(result);
        write(image, from);
        clReleaseEvent(convolver.enqueue(queue_, from, to));
        read(to, result);
        return result;
    }

    cl_device_id id_;
    cl_context context_;
    cl_command_queue queue_;
    api::Device device_;

private:
    std::vector<cl_mem> buffers_;
};

double allowed_error(api::SampleType type)
{
    switch (type) {
        case api::SampleType::u8: return 0.5 / 255 + 1e-5;
        case api::SampleType::u16: return 0.5 / 65535 + 1e-5;
        case api::SampleType::half: return 0x1p-11;
        default: return 4e-6;  // without the image's mean, which takes the mean's share of the rounding away
    }
}

TEST_F(BuffersOfAContext, EveryTypeThatTheyMayHaveIsConvolved)
{
    const api::Psf psf("gaussian:1.7,size=9");
    for (const api::SampleType type :
         {api::SampleType::u8, api::SampleType::u16, api::SampleType::half, api::SampleType::float32})
        for (const int channels : {1, 3}) {
            const Samples image = random_samples(type, kImageExtent, channels);
            const Samples result = convolved(image, type, psf, {});
            EXPECT_LE(largest_difference(result.values, expected(image, psf)), allowed_error(type))
                << static_cast<int>(type) << " " << channels;
        }
}

TEST_F(BuffersOfAContext, BordersModesAndTypesOfResultsAreAsRequested)
{
    const api::Psf psf("motion:7,angle=30");
    const Samples image = random_samples(api::SampleType::u8, kImageExtent, 3);
    const Samples full = convolved(image, api::SampleType::float32, psf, {{"border", "zero"}, {"mode", "full"}});
    EXPECT_LE(largest_difference(full.values, expected(image, psf, Border::zero, Mode::full)), 4e-6);
    const Samples divided = convolved(image, api::SampleType::u16, psf, {{"border", "renormalize"}});
    EXPECT_LE(largest_difference(divided.values, expected(image, psf, Border::renormalize)), 1e-4);
    // A border of 1 is one of 0 around what the image lacks to 1.
    Samples lacking = image;
    for (double& value : lacking.values) value = 1 - value;
    std::vector<double> wanted = expected(lacking, psf, Border::zero);
    for (double& value : wanted) value = 1 - value;
    const Samples constant = convolved(image, api::SampleType::float32, psf, {{"border", "constant:1"}});
    EXPECT_LE(largest_difference(constant.values, wanted), 4e-6);
}

TEST_F(BuffersOfAContext, EveryMethodGivesTheSame)
{
    const api::Psf psf("disc:4.5");
    const Samples image = random_samples(api::SampleType::float32, kImageExtent, 1);
    for (const char* const method : {"direct", "tiled", "fft"}) {
        const Samples result =
            convolved(image, api::SampleType::float32, psf, {{"border", "mirror"}, {"method", method}});
        EXPECT_LE(largest_difference(result.values, expected(image, psf, Border::mirror)), 4e-6) << method;
    }
}

TEST_F(BuffersOfAContext, WorkWaitsForItsEventsAndDoesNotBlock)
{
    const api::Psf psf("gaussian:1.7");
    api::BufferConvolver convolver(device_, psf);
    const Samples image = random_samples(api::SampleType::float32, kImageExtent, 1);
    Samples result = empty(api::SampleType::float32, kImageExtent, 1);
    const api::BufferView from = place_for(image);
    const api::BufferView to = place_for(result);
    cl_command_queue any_order = clCreateCommandQueue(context_, id_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, nullptr);
    ASSERT_NE(any_order, nullptr);
    cl_event written = clCreateUserEvent(context_, nullptr);
    cl_event done = convolver.enqueue(any_order, from, to, {written});
    cl_int status = CL_COMPLETE;
    clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    EXPECT_NE(status, CL_COMPLETE);

    write(image, from);
    clFinish(queue_);
    clSetUserEventStatus(written, CL_COMPLETE);
    read(to, result, 1, &done);
    EXPECT_LE(largest_difference(result.values, expected(image, psf)), 4e-6);
    clReleaseEvent(done);
    clReleaseEvent(written);
    clReleaseCommandQueue(any_order);
}

TEST_F(BuffersOfAContext, ManySizesInTurnsFollowOneAnother)
{
    const api::Psf psf("gaussian:1.7");
    api::BufferConvolver convolver(device_, psf);
    for (int turn = 0; turn < 2; ++turn)
        for (int size = 16; size < 22; ++size) {  // more than are kept
            const Samples image = random_samples(api::SampleType::float32, {size, size}, 1);
            Samples result = empty(api::SampleType::float32, {size, size}, 1);
            const api::BufferView from = place_for(image);
            const api::BufferView between = place_for(result);
            const api::BufferView to = place_for(result);
            write(image, from);
            clReleaseEvent(convolver.enqueue(queue_, from, between));
            clReleaseEvent(convolver.enqueue(queue_, between, to));
            read(to, result);
            Samples once = image;
            once.values = expected(image, psf);
            EXPECT_LE(largest_difference(result.values, expected(once, psf)), 1e-5) << size;
        }
}

TEST_F(BuffersOfAContext, TheDefaultDeviceOfTheEnvironmentDoesNotMatter)
{
    const char* const given = std::getenv("CLCONV_DEVICE");  // NOLINT(concurrency-mt-unsafe)
    const std::string before = given == nullptr ? "" : given;
    ::setenv("CLCONV_DEVICE", "no such device", 1);  // NOLINT(concurrency-mt-unsafe)
    EXPECT_NO_THROW((void)api::device_in(context_, id_));
    EXPECT_THROW((void)api::device_in(context_, id_, {{"device", "cpu"}}), api::InvalidProblem);
    ::unsetenv("CLCONV_DEVICE");                                         // NOLINT(concurrency-mt-unsafe)
    if (given != nullptr) ::setenv("CLCONV_DEVICE", before.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
}

TEST_F(BuffersOfAContext, WhatMakesNoSenseIsRefused)
{
    const api::Psf psf("gaussian:1.7");
    EXPECT_THROW(api::BufferConvolver(device_, psf, {{"mix", 0.5}}), api::InvalidProblem);
    EXPECT_THROW(api::BufferConvolver(device_, psf, {{"precision", "half"}}), api::InvalidProblem);
    EXPECT_THROW(api::BufferConvolver(device_, psf, {{"nonfinite", "zero"}}), api::InvalidProblem);
    EXPECT_THROW((void)api::device_in(context_, id_, {{"device", "cpu"}}), api::InvalidProblem);

    api::BufferConvolver convolver(device_, psf);
    const api::BufferView image = place_for(empty(api::SampleType::float32, kImageExtent, 1));
    const api::BufferView result = place_for(empty(api::SampleType::float32, kImageExtent, 1));
    const auto refused = [&](const api::BufferView& from, const api::BufferView& to) {
        EXPECT_THROW((void)convolver.enqueue(queue_, from, to), api::InvalidProblem);
    };
    refused(image, image);
    refused(image, {result.memory, api::SampleType::float32, 5, 5, 1});
    refused({image.memory, api::SampleType::float32, 370, 290, 1}, result);
    refused({nullptr, api::SampleType::float32, 37, 29, 1}, result);
    refused({image.memory, api::SampleType::i32, 37, 29, 1}, result);

    cl_context other = clCreateContext(nullptr, 1, &id_, nullptr, nullptr, nullptr);
    cl_mem foreign = clCreateBuffer(other, CL_MEM_READ_WRITE, kImageExtent.pixels() * sizeof(float), nullptr, nullptr);
    refused({foreign, api::SampleType::float32, 37, 29, 1}, result);
    clReleaseMemObject(foreign);
    clReleaseContext(other);
}

}  // namespace
}  // namespace clconv::test
