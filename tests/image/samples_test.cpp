// SPDX-License-Identifier: Apache-2.0
#include "image/samples.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace clconv {
namespace {

TEST(Dithered, AlphaIsTheNearestCodeAndColoursAreNotAlways)
{
    std::vector<float> samples;
    for (int pixel = 0; pixel < 100; ++pixel) samples.insert(samples.end(), {100.7F / 255, 100.7F / 255});
    const Bytes codes = dithered(samples, FileType::u8, {.seed = 1, .first = 0, .channels = 2, .alpha = 1});
    int lower = 0;
    for (std::size_t i = 0; i < samples.size(); i += 2) {
        lower += codes.as<std::uint8_t>()[i] == 100 ? 1 : 0;
        ASSERT_EQ(codes.as<std::uint8_t>()[i + 1], 101);
    }
    EXPECT_GT(lower, 10);
    EXPECT_LT(lower, 60);
}

/// Two pixels of a gray image with these alphas, as settle_alpha() leaves them.
std::vector<float> settled(float first, float second, AlphaUse use)
{
    std::vector<float> samples{0.5F, first, 0.25F, second};
    settle_alpha(samples, {.channels = 2, .alpha = 1, .colours = {0}}, use);
    return samples;
}

TEST(SettleAlpha, StaysUnlessItIsNone)
{
    EXPECT_EQ(settled(0, 0.3F, AlphaUse::unless_zero), (std::vector<float>{0.5F, 0, 0.25F, 0.3F}));
    EXPECT_EQ(settled(0, 0, AlphaUse::alpha), (std::vector<float>{0.5F, 0, 0.25F, 0}));
    EXPECT_EQ(settled(0, 0, AlphaUse::unless_zero), (std::vector<float>{0.5F, 1, 0.25F, 1}));
    EXPECT_EQ(settled(0, 0.3F, AlphaUse::unused), (std::vector<float>{0.5F, 1, 0.25F, 1}));
}

}  // namespace
}  // namespace clconv
