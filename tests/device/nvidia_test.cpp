// SPDX-License-Identifier: Apache-2.0
// kernels/nvidia.cl on a device of another maker: what stands in for NVIDIA's instructions.
#include "opencl/buffers.h"
#include "opencl/kernel.h"
#include "passes/launcher.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace clconv::test {
namespace {

constexpr const char* kOrderedBytesProbe = R"(
#include "nvidia.cl"

__kernel void probe(__global uint *results, __global const uint *orders)
{
    const uint i = get_global_id(0);
    results[i] = ordered_bytes(0xA3A2A1A0, 0xB7B6B5B4, orders[i]);
}
)";

TEST(OrderedBytes, AreTheOnesThatTheDigitsName)
{
    Device& device = *test_device();
    const KernelSource kernels = KernelSource::embedded().with("probe.cl", kOrderedBytesProbe);
    Kernel kernel(build(device, kernels, {"probe.cl", "probe.cl", "", ""}), "probe");
    // The orders of image.cl (one byte, the others zero if `high` is) and of results.cl (pixels at any address).
    const std::vector<std::uint32_t> orders{0x3210, 0x4321, 0x5432, 0x6543, 0x4440, 0x4441, 0x4442, 0x7777};
    const std::vector<std::uint32_t> wanted{0xA3A2A1A0, 0xB4A3A2A1, 0xB5B4A3A2, 0xB6B5B4A3,
                                            0xB4B4B4A0, 0xB4B4B4A1, 0xB4B4B4A2, 0xB7B7B7B7};
    std::vector<std::uint32_t> found(orders.size());
    const cl::Buffer results = upload(device, found);
    const cl::Buffer given = upload(device, orders);
    Launcher launcher(device);
    launcher.run("probe", kernel, orders.size(), 1, named("results", results), named("orders", given));
    launcher.read(results, found.data(), found.size() * sizeof(std::uint32_t));
    (void)launcher.finish();
    EXPECT_EQ(found, wanted);
}

}  // namespace
}  // namespace clconv::test
