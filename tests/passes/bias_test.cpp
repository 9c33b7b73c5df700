// SPDX-License-Identifier: Apache-2.0
// What is taken out of an image before it is transformed.

#include "passes/bias.h"

#include "base/light.h"
#include "base/transfer.h"
#include "support/random_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace clconv::test {
namespace {

using testing::ElementsAre;

TEST(Bias, AConstantImageIsItsOwnBias)
{
    for (const Border border : {Border::clamp, Border::wrap, Border::mirror, Border::reflect, Border::renormalize}) {
        RandomImage image = random_image({7, 5}, 2, SampleType::float32, 1);
        for (std::size_t i = 0; i < image.values.size(); ++i) image.samples.as<float>()[i] = i % 2 ? 0.75f : 0.25f;
        EXPECT_THAT(bias_of(image.view, border, {}), ElementsAre(0.25, 0.75));
    }
}

TEST(Bias, ZeroOutsideLeavesTheImageAsItIs)
{
    const RandomImage image = random_image({7, 5}, 3, SampleType::u8, 1);
    EXPECT_THAT(bias_of(image.view, Border::zero, {}), ElementsAre(0, 0, 0));
}

TEST(Bias, AConstantBorderIsTheBiasOfEachChannel)
{
    const RandomImage image = random_image({7, 5}, 3, SampleType::u8, 1);
    EXPECT_THAT(bias_of(image.view, Border::constant, {0.5}), ElementsAre(0.5, 0.5, 0.5));
    EXPECT_THAT(bias_of(image.view, Border::constant, {0.1, 0.2, 0.3}), ElementsAre(0.1, 0.2, 0.3));
}

TEST(Bias, AConstantBorderIsDecodedAsTheColoursAreAndAlphaIsNot)
{
    RandomImage image = random_image({7, 5}, 2, SampleType::u8, 1);
    image.view.light = Light::linear;
    image.view.alpha_channel = 1;
    EXPECT_THAT(bias_of(image.view, Border::constant, {0.5}), ElementsAre(srgb_decoded(0.5), 0.5));
    // Alpha first, and a curve for each colour behind it.
    const Transfer transfer{.name = "of each colour",
                            .shape = Transfer::Shape::other,
                            .curves = {ToneCurve::gamma(1), ToneCurve::gamma(2), ToneCurve::gamma(3)}};
    RandomImage layered = random_image({7, 5}, 4, SampleType::u8, 1);
    layered.view.light = Light::linear;
    layered.view.alpha_channel = 0;
    layered.view.transfer = &transfer;
    EXPECT_THAT(bias_of(layered.view, Border::constant, {0.5}), ElementsAre(0.5, 0.5, 0.25, 0.125));
}

TEST(Bias, EveryTypeIsReadAsItsValue)
{
    for (const SampleType type : kSampleTypes) {
        const RandomImage image = random_image({9, 4}, 1, type, 2);
        double mean = 0;
        for (const double value : image.values) mean += value / static_cast<double>(image.values.size());
        EXPECT_NEAR(bias_of(image.view, Border::clamp, {}).front(), mean, 1e-12) << name_of(type);
    }
}

TEST(Bias, ALargeImageIsSampledNearItsMean)
{
    // 1024 uniform samples: a standard error of 0.29 / 32 = 0.009.
    const RandomImage image = random_image({1024, 1024}, 1, SampleType::float32, 3);
    EXPECT_NEAR(bias_of(image.view, Border::clamp, {}).front(), 0.5, 0.03);
}

TEST(Bias, IsFiniteWhateverTheImageHolds)
{
    RandomImage image = random_image({4, 4}, 1, SampleType::float32, 1);
    image.samples.as<float>()[5] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(bias_of(image.view, Border::clamp, {}).front(), 0);
    image.samples.as<float>()[5] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(bias_of(image.view, Border::clamp, {}).front(), 0);
}

TEST(Bias, ComesBackTimesThePsfsSumUnlessTheSumIsDividedOut)
{
    EXPECT_EQ(restored_bias(0.5, 4, Border::clamp), 2);
    EXPECT_EQ(restored_bias(0.5, 4, Border::constant), 2);
    EXPECT_EQ(restored_bias(0.5, 4, Border::renormalize), 0.5);
}

TEST(LargestMagnitude, IsThatOfTheFiniteSamples)
{
    RandomImage image = random_image({7, 5}, 2, SampleType::float32, 1);
    image.samples.as<float>()[11] = -300;
    image.samples.as<float>()[13] = 200;
    image.samples.as<float>()[20] = std::numeric_limits<float>::infinity();
    image.samples.as<float>()[21] = -std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(largest_magnitude(image.view), 300);
}

TEST(LargestMagnitude, OfHalvesIsTheirs)
{
    RandomImage image = random_image({7, 5}, 2, SampleType::half, 1);
    image.samples.as<std::uint16_t>()[11] = 0xfbff;  // -65504
    image.samples.as<std::uint16_t>()[12] = 0x7c00;  // infinity
    image.samples.as<std::uint16_t>()[13] = 0xffff;  // a NaN
    EXPECT_EQ(largest_magnitude(image.view), 65504);
}

TEST(LargestMagnitude, OfIntegersIsOne)
{
    EXPECT_EQ(largest_magnitude(random_image({7, 5}, 2, SampleType::u8, 1).view), 1);
    EXPECT_EQ(largest_magnitude(random_image({7, 5}, 2, SampleType::u16, 1).view), 1);
}

}  // namespace
}  // namespace clconv::test
