// SPDX-License-Identifier: Apache-2.0
#include "codecs/marked_block.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace clconv::oiio {
namespace {

std::byte* bytes(std::vector<float>& values) { return reinterpret_cast<std::byte*>(values.data()); }

TEST(MarkedBlock, MissesNothingThatWasWritten)
{
    for (const std::size_t count : {1U, 3U, 4U, 5U, 257U, 5000U}) {
        std::vector<float> values(count, 7);
        MarkedBlock block(bytes(values), 4 * count, SampleType::float32);
        std::fill(values.begin(), values.end(), 1.0F);
        EXPECT_FALSE(block.has_gaps()) << count;
        EXPECT_EQ(values, std::vector<float>(count, 1.0F));
    }
}

TEST(MarkedBlock, FindsRowsThatWereNotWritten)
{
    constexpr std::size_t count = 5000;
    for (const std::size_t first : {0U, 2000U, 4700U}) {
        std::vector<float> values(count, 7);
        MarkedBlock block(bytes(values), 4 * count, SampleType::float32);
        for (std::size_t i = 0; i < count; ++i)
            if (i < first || i >= first + 300) values[i] = 1;
        EXPECT_TRUE(block.has_gaps()) << first;
        for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(std::isnan(values[i]), i >= first && i < first + 300) << i;
    }
}

TEST(MarkedBlock, MakesSamplesOfSeveralTypesMissing)
{
    constexpr std::size_t pixel = 7;
    constexpr std::size_t pixels = 9000;
    std::vector<std::byte> missing(pixel);
    for (std::size_t i = 0; i < pixel; ++i) missing[i] = static_cast<std::byte>(i + 1);
    std::vector<std::byte> samples(pixel * pixels, std::byte{99});
    MarkedBlock block(samples.data(), samples.size(), missing);
    std::fill_n(samples.begin(), pixel * 1000, std::byte{99});
    EXPECT_TRUE(block.has_gaps());
    for (std::size_t i = 0; i < samples.size(); ++i)
        ASSERT_EQ(samples[i], i < pixel * 1000 ? std::byte{99} : missing[i % pixel]) << i;
}

TEST(MarkedBlock, LeavesNothingOfWhatLayThere)
{
    std::vector<float> values(5000, 7);
    MarkedBlock block(bytes(values), 20000, SampleType::u8);
    EXPECT_TRUE(block.has_gaps());
    EXPECT_EQ(values, std::vector<float>(5000, 0.0F));
}

}  // namespace
}  // namespace clconv::oiio
