// SPDX-License-Identifier: Apache-2.0
// Memory of plans: used again, never while a command still needs it, and filled without waiting for other commands.

#include "engine/workspace.h"
#include "opencl/buffers.h"
#include "opencl/handles.h"
#include "opencl/scratch.h"
#include "passes/device_convolution.h"
#include "support/convolution_case.h"
#include "support/random_case.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <numeric>

namespace clconv::test {
namespace {

constexpr std::uint64_t kBlockBytes = std::uint64_t{1} << 20U;

const void* block_of(const cl::Buffer& buffer) { return buffer.getInfo<CL_MEM_HOST_PTR>(); }

/// A command that holds up its queue until open().
class Gate {
public:
    Gate(Device& device, const cl::CommandQueue& queue) : queue_(queue), event_(device.handles().context)
    {
        const std::vector<cl::Event> events{event_};
        queue_.enqueueBarrierWithWaitList(&events);
        queue_.flush();
    }
    ~Gate() { open(); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    void open()
    {
        if (!std::exchange(is_open_, true)) event_.setStatus(CL_COMPLETE);
        queue_.finish();
    }

private:
    cl::CommandQueue queue_;
    cl::UserEvent event_;
    bool is_open_ = false;
};

std::vector<int> numbers(std::size_t count)
{
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 1);
    return values;
}

TEST(DeviceMemory, OfACpuIsUsedAgain)
{
    const auto device = test_device();
    if (!device->info().traits.is_cpu) GTEST_SKIP() << "other devices have memory of their own";
    const void* first = nullptr;
    cl::Buffer kept = allocate(*device, kBlockBytes);
    {
        const cl::Buffer buffer = allocate(*device, kBlockBytes);
        first = block_of(buffer);
        EXPECT_NE(block_of(kept), first);
    }
    EXPECT_EQ(block_of(allocate(*device, kBlockBytes)), first);
}

TEST(DeviceMemory, IsNotUsedAgainWhileACommandStillWritesToIt)
{
    const auto device = test_device();
    if (!device->info().traits.is_cpu) GTEST_SKIP() << "other devices have memory of their own";
    const std::vector<int> values = numbers(kBlockBytes / sizeof(int));
    const cl::Buffer kept = allocate(*device, kBlockBytes);
    Gate gate(*device, device->handles().queue);
    const void* busy = nullptr;
    {
        const cl::Buffer buffer = allocate(*device, kBlockBytes);
        busy = block_of(buffer);
        device->handles().queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, kBlockBytes, values.data());
    }
    EXPECT_NE(block_of(allocate(*device, kBlockBytes)), busy);
    gate.open();
    std::array<cl::Buffer, 2> after{allocate(*device, kBlockBytes), allocate(*device, kBlockBytes)};
    EXPECT_TRUE(block_of(after[0]) == busy || block_of(after[1]) == busy) << "it came back after the command";
}

TEST(DeviceMemory, TablesAreUploadedWhileTheQueueWaits)
{
    for (const auto& device : {test_device(), gpu()}) {
        Gate gate(*device, device->handles().queue);
        const std::vector<int> values = numbers(1000);
        const cl::Buffer table = upload(*device, values);  // would never return if it waited for the gate
        std::vector<int> found(values.size());
        const cl::CommandQueue other(device->handles().context, device->handles().device);
        other.enqueueReadBuffer(table, CL_TRUE, 0, found.size() * sizeof(int), found.data());
        EXPECT_EQ(found, values);
    }
}

TEST(DeviceMemory, KernelsMayReadAFewBytesBehindWhatWasUploaded)
{
    for (const std::size_t bytes : {0, 1, 15, 16, 17, 4096})
        EXPECT_GE(upload(*test_device(), std::vector<char>(bytes)).getInfo<CL_MEM_SIZE>(), bytes + 8);
}

TEST(Scratch, IsTheSameMemoryUntilMoreIsNeeded)
{
    Scratch scratch(*test_device());
    const cl_mem first = scratch.of(1000)();
    EXPECT_EQ(scratch.of(10)(), first);
    EXPECT_EQ(scratch.of(1000)(), first);
    EXPECT_EQ(scratch.bytes(), 1000u);
    EXPECT_GE(scratch.of(1001).getInfo<CL_MEM_SIZE>(), 1001u);
    EXPECT_GE(scratch.bytes(), 1001u);
    scratch.clear();
    EXPECT_EQ(scratch.bytes(), 0u);
    EXPECT_EQ(scratch.of(10).getInfo<CL_MEM_SIZE>(), allocate(*test_device(), 10).getInfo<CL_MEM_SIZE>());
}

TEST(Scratch, HasASecondBufferForWhoNeedsTwo)
{
    Scratch scratch(*test_device());
    const cl_mem first = scratch.of(1000)();
    EXPECT_NE(scratch.second(500)(), first);
    EXPECT_EQ(scratch.of(1000)(), first);
    EXPECT_EQ(scratch.bytes(), 1500u);
    scratch.clear();
    EXPECT_EQ(scratch.bytes(), 0u);
}

TEST(Scratch, GrowsSeldomIfImagesBecomeLargerOneByOne)
{
    Scratch scratch(*test_device());
    std::uint64_t before = 0;
    int grown = 0;
    for (std::uint64_t bytes = 1000; bytes <= 2000; ++bytes) {
        (void)scratch.of(bytes);
        grown += scratch.bytes() != before;
        before = scratch.bytes();
    }
    EXPECT_LE(grown, 8);  // 1.125^6 is above 2
    EXPECT_LE(scratch.bytes(), 2000 + 2000 / 8);
}

TEST(Scratch, GrowsBeyondWhatIsNeededOnlyAsFarAsTheDeviceAllows)
{
    DeviceInfo info = test_device_info();
    info.traits.max_allocation = 1050;
    Device device(info);
    Scratch scratch(device);
    (void)scratch.of(1000);
    (void)scratch.of(1001);
    EXPECT_EQ(scratch.bytes(), 1050u);
}

TEST(Workspace, HasTheMemoryOfItsLargestImageAndNotOfEach)
{
    Workspace workspace(*test_device());
    std::uint64_t maximum = 0;
    for (const std::uint64_t size : {3000, 1000, 2000}) {
        (void)workspace.slot(0, {.input = size, .output = 2 * size, .levels = 100});
        (void)workspace.scratch(0)->of(5 * size);
        maximum = std::max(maximum, size);
    }
    EXPECT_EQ(workspace.bytes(), 8 * maximum + 2 * 100);
    workspace.clear();
    EXPECT_EQ(workspace.bytes(), 0u);
}

TEST(Workspace, ImagesOfDifferentSlotsShareNothing)
{
    Workspace workspace(*test_device());
    const SlotBytes bytes{.input = 100, .output = 100, .levels = 10};
    const ImageBuffers one = workspace.slot(0, bytes), other = workspace.slot(1, bytes);
    EXPECT_NE(one.input(), other.input());
    EXPECT_NE(one.output(), other.output());
    EXPECT_NE(one.bias(), other.bias());
    EXPECT_NE(one.restore(), other.restore());
    EXPECT_EQ(workspace.slot(0, bytes).input(), one.input());
}

/// Many sizes in flight at once, each as right as if it were alone.
void expect_right_in_flight(const std::shared_ptr<Device>& device, Method method)
{
    SCOPED_TRACE(name_of(method));
    ConvolveSettings settings;
    settings.decisions = with_method(method);
    const Extent extents[] = {{64, 48}, {20, 90}, {90, 20}, {33, 31}, {65, 49}, {12, 12}, {64, 48}};
    const auto psf = std::make_shared<const Psf>(random_psf({7, 5}, 1, {3, 2}, 9));
    std::vector<RandomImage> images;
    for (unsigned seed = 1; const Extent extent : extents)
        images.push_back(random_image(extent, 3, SampleType::float32, seed++));

    Convolver convolver(device, KernelSource::embedded(), settings);
    std::deque<const RandomImage*> started;
    const auto finish_first = [&] {
        const RandomImage& image = *started.front();
        started.pop_front();
        const Convolver::Output output = convolver.finish();
        const Problem problem = problem_of(image.view, *psf, settings, SampleType::float32);
        const auto expected = direct_reference(problem, image.values, psf->weights);
        EXPECT_LE(errors_of(output.samples.as<float>(), expected).plain, tolerance(Precision::float32))
            << to_string(image.view.extent);
    };
    for (const RandomImage& image : images) {
        if (started.size() == convolver.capacity()) finish_first();
        convolver.start(image.view, psf, SampleType::float32);
        started.push_back(&image);
    }
    while (!started.empty()) finish_first();
}

TEST(Workspace, ImagesOfManySizesInFlightAreEachRight)
{
    for (const Method method : {Method::fft, Method::tiled, Method::direct}) {
        expect_right_in_flight(test_device(), method);
        expect_right_in_flight(gpu(), method);
    }
}

TEST(DeviceConvolution, APsfThatIsStillBeingPreparedOnAnotherQueueIsAwaited)
{
    const auto device = gpu();
    const Case c{{40, 29}, 1, {7, 5}, {3, 2}, 1, Border::clamp, Mode::same, with_method(Method::fft)};
    const Problem problem = problem_of(c);
    const Plan plan = make_plan(problem, device->info().traits, c.decisions);
    const RandomImage image = random_image(c.image, 1, SampleType::float32, 1);
    const Psf psf = random_psf(c.psf, 1, c.origin, 2);
    DeviceConvolution preparing(*device, KernelSource::embedded(), plan);
    DeviceConvolution convolution(*device, KernelSource::embedded(), plan);
    const auto& routes = device->handles().routes;
    ASSERT_GE(routes.size(), 2u);

    Gate gate(*device, routes[1].compute);
    Launcher first(*device, routes[1]);
    const PreparedPsf prepared = preparing.prepare(first, psf);
    const auto bytes = image.values.size() * sizeof(float);
    const cl::Buffer input = upload_bytes(*device, image.view.samples, bytes), output = allocate(*device, bytes);
    const ImageBuffers buffers = convolution.between(input, output, prepared, {{0.5F}});
    Launcher second(*device, routes[0]);
    convolution.convolve(second, buffers, prepared);
    Bytes result(bytes);
    second.read(output, result.data(), bytes);
    second.flush();
    (void)upload(*device, std::vector<int>(1));  // gives a convolution that does not wait the time to go wrong
    gate.open();
    (void)first.finish();
    (void)second.finish();
    const auto expected = direct_reference(problem, image.values, psf.weights);
    EXPECT_LE(errors_of<float>(result.as<float>(), expected).plain, tolerance(Precision::float32));
}

}  // namespace
}  // namespace clconv::test
