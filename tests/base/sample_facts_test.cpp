// SPDX-License-Identifier: Apache-2.0
#include "base/sample_facts.h"

#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace clconv {
namespace {

ImageView view_of(const std::vector<float>& samples, int channels)
{
    return {{static_cast<int>(samples.size()) / channels, 1},
            channels,
            SampleType::float32,
            reinterpret_cast<const std::byte*>(samples.data())};
}

TEST(SampleFacts, HaveTheSmallestSampleOfEachChannel)
{
    std::mt19937 engine(3);
    for (const int channels : {1, 2, 3, 4, 5, 7, 48, 50})
        for (const int pixels : {1, 2, 47, 48, 49, 200}) {
            std::vector<float> samples(static_cast<std::size_t>(channels) * pixels);
            for (float& sample : samples) sample = static_cast<float>(static_cast<int>(engine() % 2001) - 1000) + 0.5F;
            const SampleFacts facts = sample_facts(view_of(samples, channels));
            EXPECT_FALSE(facts.has_zeros);
            std::vector<float> minimum(static_cast<std::size_t>(channels), 1e9F);
            for (std::size_t i = 0; i < samples.size(); ++i)
                minimum[i % channels] = std::min(minimum[i % channels], samples[i]);
            EXPECT_EQ(facts.minimum, minimum) << channels << " channels, " << pixels << " pixels";
        }
}

TEST(SampleFacts, OfDoublesAreNotAboveTheirSmallestSample)
{
    const std::vector<double> samples{1 + 1e-12, -1e-200, 7, 1e-200};
    const ImageView view{{2, 1}, 2, SampleType::float64, reinterpret_cast<const std::byte*>(samples.data())};
    const SampleFacts facts = sample_facts(view);
    EXPECT_FALSE(facts.has_zeros) << "numbers that become zero as floats are not zeros";
    EXPECT_EQ(facts.minimum[0], 1) << "the nearest float below";
    EXPECT_LE(facts.minimum[1], -1e-200);
    EXPECT_GE(facts.minimum[1], -1e-40F);
}

TEST(SampleFacts, FindZerosOfEitherSignAnywhere)
{
    for (const std::size_t place : {0U, 47U, 48U, 143U, 149U})
        for (const float zero : {0.0F, -0.0F}) {
            std::vector<float> samples(150, 1.0F);
            samples[place] = zero;
            const SampleFacts facts = sample_facts(view_of(samples, 3));
            EXPECT_TRUE(facts.has_zeros) << place;
            EXPECT_GE(facts.minimum[place % 3], 0);
        }
}

TEST(SampleFacts, PassOverNan)
{
    std::vector<float> samples(100, 2.0F);
    samples[5] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(sample_facts(view_of(samples, 1)).minimum.front(), 2);
}

TEST(SampleFacts, OrderHalvesAsTheirValues)
{
    for (std::uint32_t bits = 0; bits < 0x10000; bits += 7) {
        std::vector<std::uint16_t> samples(97, 0x7bff);  // the largest
        samples[bits % 97] = static_cast<std::uint16_t>(bits);
        const float value = float_from_half(static_cast<std::uint16_t>(bits));
        const ImageView view{{97, 1}, 1, SampleType::half, reinterpret_cast<const std::byte*>(samples.data())};
        const SampleFacts facts = sample_facts(view);
        EXPECT_EQ(facts.minimum.front(), std::isnan(value) ? 65504.0F : std::min(value, 65504.0F)) << bits;
        EXPECT_EQ(facts.has_zeros, value == 0) << bits;
    }
}

TEST(SampleFacts, OfNoChannelsAreNone)
{
    EXPECT_EQ(sample_facts({{4, 1}, 0, SampleType::float32, nullptr}).minimum.size(), 0U);
    EXPECT_EQ(sample_facts({{4, 1}, 0, SampleType::half, nullptr}).minimum.size(), 0U);
}

TEST(SampleFacts, OfIntegersAreThatTheyAreNotNegative)
{
    const std::vector<std::uint8_t> samples(12, 9);
    const SampleFacts facts =
        sample_facts({{4, 1}, 3, SampleType::u8, reinterpret_cast<const std::byte*>(samples.data())});
    EXPECT_EQ(facts.minimum, std::vector<float>(3));
}

}  // namespace
}  // namespace clconv
