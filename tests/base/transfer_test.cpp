// SPDX-License-Identifier: Apache-2.0
#include "base/transfer.h"

#include "base/light.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace clconv {
namespace {

/// IEC 61966-2-1 as ICC profiles state it.
ToneCurve srgb_curve()
{
    return ToneCurve(
        ToneCurve::Power{.g = 2.4, .a = 1 / 1.055, .b = 0.055 / 1.055, .c = 1 / 12.92, .d = 0.04045, .e = 0, .f = 0});
}

TEST(ToneCurves, ParametersOfSrgbGiveItsCurve)
{
    const ToneCurve curve = srgb_curve();
    for (int step = -100; step <= 1500; ++step) {
        const double code = step / 1000.0;
        EXPECT_NEAR(curve.decoded(code), srgb_decoded(code), 1e-12);
        EXPECT_NEAR(curve.encoded(srgb_decoded(code)), code, 1e-6) << code;
    }
}

TEST(ToneCurves, APowerIsMirroredForNegativeCodes)
{
    const ToneCurve curve = ToneCurve::gamma(1.8);
    EXPECT_DOUBLE_EQ(curve.decoded(-0.5), -std::pow(0.5, 1.8));
    EXPECT_DOUBLE_EQ(curve.encoded(-std::pow(0.5, 1.8)), -0.5);
}

TEST(ToneCurves, ATableIsStraightBetweenItsLights)
{
    const ToneCurve curve = ToneCurve::table({0, 0.1, 0.1, 0.4, 1});
    EXPECT_DOUBLE_EQ(curve.decoded(0.125), 0.05);
    EXPECT_DOUBLE_EQ(curve.decoded(0.375), 0.1);
    EXPECT_DOUBLE_EQ(curve.decoded(0.875), 0.7);
    EXPECT_DOUBLE_EQ(curve.encoded(0.05), 0.125);
    EXPECT_DOUBLE_EQ(curve.encoded(0.1), 0.25) << "the first of many";
    EXPECT_DOUBLE_EQ(curve.encoded(0.7), 0.875);
}

TEST(ToneCurves, LevelEndsAreBlackAndWhite)
{
    const ToneCurve curve = ToneCurve::table({0.1, 0.1, 0.5, 0.9, 0.9});
    EXPECT_EQ(curve.encoded(0.1), 0);
    EXPECT_EQ(curve.encoded(0.05), 0);
    EXPECT_EQ(curve.encoded(0.9), 1);
}

TEST(ToneCurves, ALevelFootIsBlack)
{
    const ToneCurve curve(ToneCurve::Power{.g = 2, .a = 1, .b = -0.1, .c = 0, .d = 0.1, .e = 0, .f = 0});
    EXPECT_EQ(curve.decoded(0.05), 0);
    EXPECT_EQ(curve.encoded(0), 0);
    EXPECT_NEAR(curve.encoded(0.16), 0.5, 1e-12);
}

TEST(ToneCurves, CodesRiseWithLightWhereRoundedHalvesOverlap)
{
    // BT.709 as profiles have it: the power begins below the end of the line.
    const ToneCurve curve(
        ToneCurve::Power{.g = 1 / 0.45, .a = 1 / 1.099, .b = 0.099 / 1.099, .c = 1 / 4.5, .d = 0.081, .e = 0, .f = 0});
    EXPECT_TRUE(curve.is_sound());
    double before = 0;
    for (int step = 0; step <= 100000; ++step) {
        const double code = curve.encoded(step / 100000.0);
        ASSERT_GE(code, before);
        before = code;
    }
}

TEST(ToneCurves, OfHdrAreMirroredAndTheirLightIsFinite)
{
    for (const ToneCurve& curve : {ToneCurve::pq(), ToneCurve::hlg()}) {
        EXPECT_EQ(curve.decoded(0), 0);
        EXPECT_EQ(curve.encoded(0), 0);
        for (const double code : {0.1, 0.5, 0.75, 1.0, 1.2}) {
            EXPECT_NEAR(curve.encoded(curve.decoded(code)), code, 1e-9);
            EXPECT_EQ(curve.decoded(-code), -curve.decoded(code));
            EXPECT_EQ(curve.encoded(-curve.decoded(code)), -curve.encoded(curve.decoded(code)));
        }
    }
    EXPECT_EQ(ToneCurve::pq().decoded(3), ToneCurve::pq().decoded(1.5));
}

TEST(ToneCurves, WhatDoesNotRiseIsNotSound)
{
    EXPECT_TRUE(srgb_curve().is_sound());
    EXPECT_TRUE(ToneCurve::table({0, 0, 1}).is_sound());
    EXPECT_FALSE(ToneCurve::table({1, 0}).is_sound());
    EXPECT_FALSE(ToneCurve::table({0, 0.7, 0.6, 1}).is_sound());
    EXPECT_FALSE(ToneCurve::table({0.5, 0.5}).is_sound());
    EXPECT_FALSE(ToneCurve::gamma(std::numeric_limits<double>::quiet_NaN()).is_sound());
    EXPECT_FALSE(ToneCurve::gamma(-1).is_sound());
    EXPECT_FALSE(ToneCurve(ToneCurve::Power{.g = 1, .a = 1, .b = -0.2, .c = 1, .d = 0.5, .e = 0, .f = 0}).is_sound());
    EXPECT_FALSE(ToneCurve(ToneCurve::Power{.g = 1, .a = 0, .b = 0, .c = 0, .d = 0, .e = 0, .f = 0}).is_sound());
}

}  // namespace
}  // namespace clconv
