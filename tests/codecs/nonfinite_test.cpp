// SPDX-License-Identifier: Apache-2.0
#include "image/nonfinite.h"
#include "test_files.h"

#include <cmath>
#include <limits>

namespace clconv::testing {
namespace {

TEST(NonFinite, AreNoneInAnOrdinaryImage)
{
    for (const SampleType type : kSampleTypes)
        EXPECT_EQ(find_nonfinite(test_image({100, 50}, 3, type).view()).count, 0U) << name_of(type);
}

TEST(NonFinite, AreCountedAndTheFirstIsPlaced)
{
    // More samples than one block of the search.
    Image image = test_image({100, 50}, 3, SampleType::float32);
    const auto samples = image.samples.as<float>();
    samples[(40 * 100 + 7) * 3 + 2] = std::numeric_limits<float>::infinity();
    samples[(41 * 100 + 0) * 3 + 0] = -std::numeric_limits<float>::quiet_NaN();
    samples[(49 * 100 + 99) * 3 + 2] = -std::numeric_limits<float>::infinity();
    const NonFinite found = find_nonfinite(image.view());
    EXPECT_EQ(found.count, 3U);
    EXPECT_EQ(found.first, (Position{7, 40}));
    EXPECT_EQ(found.channel, 2);
}

TEST(NonFinite, AreFoundInHalf)
{
    Image image = test_image({5, 4}, 1, SampleType::half);
    image.samples.as<std::uint16_t>()[7] = 0xFC00;   // -infinity
    image.samples.as<std::uint16_t>()[8] = 0x7BFF;   // 65504, the largest finite
    image.samples.as<std::uint16_t>()[19] = 0x7E01;  // NaN
    const NonFinite found = find_nonfinite(image.view());
    EXPECT_EQ(found.count, 2U);
    EXPECT_EQ(found.first, (Position{2, 1}));
}

TEST(NonFinite, DoNotIncludeTheLargestAndTheSmallestFloats)
{
    Image image = test_image({2, 1}, 1, SampleType::float32);
    image.samples.as<float>()[0] = std::numeric_limits<float>::max();
    image.samples.as<float>()[1] = std::numeric_limits<float>::denorm_min();
    EXPECT_EQ(find_nonfinite(image.view()).count, 0U);
}

TEST(NonFinite, AreFoundInTheVeryLastSample)
{
    Image image = test_image({3, 3}, 3, SampleType::float32);
    image.samples.as<float>()[26] = std::nanf("");
    const NonFinite found = find_nonfinite(image.view());
    EXPECT_EQ(found.count, 1U);
    EXPECT_EQ(found.first, (Position{2, 2}));
    EXPECT_EQ(found.channel, 2);
}

}  // namespace
}  // namespace clconv::testing
