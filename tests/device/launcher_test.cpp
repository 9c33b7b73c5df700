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

}  // namespace
}  // namespace clconv::test
