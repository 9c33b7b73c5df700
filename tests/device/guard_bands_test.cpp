// SPDX-License-Identifier: Apache-2.0
// A write beyond a buffer's end is detected.

#include "opencl/guard_bands.h"

#include "opencl/buffers.h"
#include "opencl/handles.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

void write_byte(const cl::Buffer& buffer, std::size_t offset)
{
    const std::uint8_t byte = 1;
    test_device()->handles().queue.enqueueWriteBuffer(buffer, CL_TRUE, offset, 1, &byte);
}

TEST(GuardBands, SeeTheFirstByteBeyondABuffersEnd)
{
    GuardBands bands(*test_device());
    cl::Buffer one, other;
    {
        const GuardBands::Watch watch(bands);
        one = allocate(*test_device(), 100);
        other = upload(*test_device(), std::vector<float>(7, 1.0f));
    }
    EXPECT_TRUE(bands.intact());
    write_byte(one, 99);
    write_byte(other, 27);
    EXPECT_TRUE(bands.intact()) << "writing to the last byte is what buffers are for";
    write_byte(other, 28);
    EXPECT_FALSE(bands.intact());
    bands.renew();
    EXPECT_TRUE(bands.intact());
    write_byte(one, 100 + GuardBands::kBytes - 1);
    EXPECT_FALSE(bands.intact());
}

TEST(GuardBands, StandOnlyBehindBuffersOfTheWatch)
{
    GuardBands bands(*test_device());
    const auto allocated = [] { return allocate(*test_device(), 100).getInfo<CL_MEM_SIZE>(); };
    const std::size_t before = allocated();
    std::size_t during = 0;
    {
        const GuardBands::Watch watch(bands);
        during = allocated();
    }
    EXPECT_GE(before, 100u);
    EXPECT_GT(during, before);
    EXPECT_EQ(allocated(), before);
}

}  // namespace
}  // namespace clconv::test
