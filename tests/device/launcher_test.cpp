// SPDX-License-Identifier: Apache-2.0
#include "passes/launcher.h"

#include "opencl/buffers.h"
#include "opencl/kernel.h"
#include "support/test_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace clconv::test {
namespace {

constexpr const char* kCounter = R"(
__kernel void count(__global int *items, __global int *groups, int width)
{
    const int y = get_global_id(1);
    if (get_global_id(0) < (size_t)width) atomic_inc(items + y);
    if (get_local_id(0) == 0) atomic_max(groups, (int)get_num_groups(1));
}
)";

TEST(Planes, OfAnyHeightTakeLaunchesThatNvidiasGpusTake)
{
    Device& device = *test_device();
    const KernelSource kernels = KernelSource::embedded().with("counter.cl", kCounter);
    Kernel kernel(build(device, kernels, {"counter.cl", "counter.cl", "", ""}), "count");
    for (const std::size_t height : {1U, 65535U, 65536U, 150000U}) {
        std::vector<int> items(height), groups(1);
        const cl::Buffer counted = upload(device, items), largest = upload(device, groups);
        Launcher launcher(device);
        launcher.run_plane("count", kernel, 3, height, named("items", counted), named("groups", largest),
                           named("width", cl_int{3}));
        launcher.read(counted, items.data(), items.size() * sizeof(int));
        launcher.read(largest, groups.data(), sizeof(int));
        (void)launcher.finish();
        EXPECT_EQ(std::ranges::count(items, 3), static_cast<std::ptrdiff_t>(height));
        EXPECT_LE(groups[0], 65535) << height;
    }
}

class SomeLaunches : public testing::Test {
protected:
    SomeLaunches()
    {
        Launcher first(device_);  // in which a driver may still compile
        launch(first, 1);
        (void)first.finish();
    }

    void launch(Launcher& launcher, int times)
    {
        for (int i = 0; i < times; ++i)
            launcher.run_plane("count", kernel_, 3, 1, named("items", items_), named("groups", groups_),
                               named("width", cl_int{3}));
    }
    /// Launches the kernel so many times, as on a GPU's route.
    void launch(int times) { launch(launcher_, times); }

    Device& device_ = *test_device();
    const KernelSource kernels_ = KernelSource::embedded().with("counter.cl", kCounter);
    Kernel kernel_{build(device_, kernels_, {"counter.cl", "counter.cl", "", ""}), "count"};
    const cl::Buffer items_ = upload(device_, std::vector<int>(1)), groups_ = upload(device_, std::vector<int>(1));
    Launcher launcher_{device_, Timing::some};
};

TEST_F(SomeLaunches, AreTimedAndTheOthersCountAsTheirMean)
{
    launch(40);
    const std::vector<StageTime> times = launcher_.finish();
    const std::vector<Span> spans = launcher_.take_spans();
    ASSERT_EQ(times.size(), 1U);
    ASSERT_EQ(spans.size(), 4U) << "of launches 1, 2, 17 and 33";
    Seconds timed{0};
    for (const Span& span : spans) timed += span.end - span.start;
    EXPECT_NEAR(times[0].time / timed, 10, 1e-2);  // a span's ends are rounded to nanoseconds
}

TEST_F(SomeLaunches, AreNotCountedAnewByAnotherLauncher)
{
    launch(2);
    (void)launcher_.finish();
    (void)launcher_.take_spans();
    launch(3);
    const std::vector<StageTime> times = launcher_.finish();
    EXPECT_TRUE(launcher_.take_spans().empty());
    ASSERT_EQ(times.size(), 1U);
    EXPECT_GT(times[0].time.count(), 0);
}

TEST_F(SomeLaunches, AreCompleteWhenTheLastOneIs)
{
    for (const int times : {1, 3}) {  // the third has no event of its own
        launch(times);
        const cl::Event last = launcher_.last();
        launcher_.flush();
        last.wait();
        (void)launcher_.finish();
    }
    std::vector<int> counted(1);
    launcher_.read(items_, counted.data(), sizeof(int));
    (void)launcher_.finish();
    EXPECT_EQ(counted[0], 15);
}

}  // namespace
}  // namespace clconv::test
