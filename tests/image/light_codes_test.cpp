// SPDX-License-Identifier: Apache-2.0
#include "image/light_codes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace clconv {
namespace {

std::shared_ptr<const Transfer> other(std::vector<ToneCurve> curves)
{
    return std::make_shared<Transfer>(
        Transfer{.name = "test", .shape = Transfer::Shape::other, .curves = std::move(curves)});
}

std::vector<std::shared_ptr<const Transfer>> transfers()
{
    const ToneCurve power = ToneCurve::gamma(2.8);
    const ToneCurve table = ToneCurve::table({0, 0, 0.2, 0.2, 0.9, 1});
    return {srgb_transfer(), other({power}), other({power, ToneCurve::gamma(0.7), table})};
}

/// Light from far below black to above white, the more the darker.
std::vector<float> many_lights()
{
    std::mt19937 random(1);
    std::uniform_real_distribution<float> exponent(-70, 2);
    std::vector<float> lights{
        0, -0.0F, -1, 1, 2, 1e30F, 1e-30F, std::nextafter(1.0F, 0.0F), std::numeric_limits<float>::quiet_NaN()};
    while (lights.size() < 3 * 40000)
        lights.push_back(std::exp2(exponent(random) * (lights.size() % 2 == 0 ? 0.1F : 1)));
    return lights;
}

const AlphaLayout kThreeColours{3, -1, {0, 1, 2}};

class LightCodes : public ::testing::TestWithParam<FileType> {};

TEST_P(LightCodes, TablesEncodeAsTheCurveAndRoundingDo)
{
    for (const auto& transfer : transfers()) {
        std::vector<float> fast = many_lights();
        std::vector<float> slow = fast;
        encode_light(fast, kThreeColours, transfer, largest_code(GetParam()));
        encode_light(slow, kThreeColours, transfer, std::nullopt);
        const Bytes fast_codes = from_float(fast, GetParam());
        const Bytes slow_codes = from_float(slow, GetParam());
        ASSERT_EQ(fast_codes.size(), slow_codes.size());
        EXPECT_TRUE(std::equal(fast_codes.data(), fast_codes.data() + fast_codes.size(), slow_codes.data()));
    }
}

TEST_P(LightCodes, TablesDecodeAsTheCurveDoes)
{
    const int largest = largest_code(GetParam()).value();
    for (const auto& transfer : transfers()) {
        std::vector<float> fast;
        for (int code = 0; code <= largest; ++code)
            for (int colour = 0; colour < 3; ++colour)
                fast.push_back(static_cast<float>(code) * (1.0F / static_cast<float>(largest)));
        std::vector<float> slow = fast;
        decode_light(fast, kThreeColours, transfer, largest);
        decode_light(slow, kThreeColours, transfer, std::nullopt);
        EXPECT_EQ(fast, slow);
    }
}

INSTANTIATE_TEST_SUITE_P(Integers, LightCodes, ::testing::Values(FileType::u8, FileType::u16));

TEST(LightOfColours, LeavesAlphaAlone)
{
    std::vector<float> samples{0.5F, 0.5F, 0.5F, 0.5F};
    decode_light(samples, {4, 3, {0, 1, 2}}, srgb_transfer(), std::nullopt);
    EXPECT_LT(samples[0], 0.3F);
    EXPECT_EQ(samples[3], 0.5F);
}

}  // namespace
}  // namespace clconv
