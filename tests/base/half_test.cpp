// SPDX-License-Identifier: Apache-2.0
// Halves on the host, every one of them.

#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace clconv::test {
namespace {

/// The value by the definition of binary16: 1 bit sign, 5 exponent, 10 fraction.
float defined_value(std::uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float sign = bits & 0x8000 ? -1.0f : 1.0f;
    if (exponent == 31)
        return fraction ? std::numeric_limits<float>::quiet_NaN() : sign * std::numeric_limits<float>::infinity();
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
    return sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
}

TEST(Half, EveryBitPatternHasItsValue)
{
    for (int pattern = 0; pattern < 65536; ++pattern) {
        const auto bits = static_cast<std::uint16_t>(pattern);
        const float value = float_from_half(bits), defined = defined_value(bits);
        if (std::isnan(defined))
            ASSERT_TRUE(std::isnan(value)) << pattern;
        else
            ASSERT_EQ(value, defined) << pattern;
        ASSERT_EQ(std::signbit(value), (bits & 0x8000) != 0) << pattern;
    }
}

TEST(Half, IsTheNearestOfAFloat)
{
    for (int pattern = 0; pattern < 0x7bff; ++pattern) {
        const auto bits = static_cast<std::uint16_t>(pattern);
        const auto next = static_cast<std::uint16_t>(pattern + 1);
        const float value = defined_value(bits), above = defined_value(next), middle = (value + above) / 2;
        ASSERT_EQ(half_from_float(value), bits);
        ASSERT_EQ(half_from_float(-value), bits | 0x8000);
        ASSERT_EQ(half_from_float(middle), bits % 2 == 0 ? bits : next) << "the even one of two";
        ASSERT_EQ(half_from_float(std::nextafter(middle, 0.0f)), bits);
        ASSERT_EQ(half_from_float(std::nextafter(middle, above)), next);
    }
    EXPECT_EQ(half_from_float(65519), 0x7bff);
    EXPECT_EQ(half_from_float(65520), 0x7c00);
    EXPECT_EQ(half_from_float(-std::numeric_limits<float>::infinity()), 0xfc00);
    EXPECT_TRUE(std::isnan(float_from_half(half_from_float(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(Half, IsKnownToTheCompiler) { static_assert(float_from_half(0x3c00) == 1.0f); }

}  // namespace
}  // namespace clconv::test
