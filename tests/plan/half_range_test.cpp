// SPDX-License-Identifier: Apache-2.0
#include "plan/half_range.h"

#include <gtest/gtest.h>

#include <cmath>

namespace clconv::test {
namespace {

/// Halves overflow at 65520; 2^15 leaves room for the rounding of sums.
constexpr double kMax = 0x1p15;

bool is_power_of_two(double value)
{
    int exponent = 0;
    return std::frexp(value, &exponent) == 0.5;
}

TEST(HalfRange, TheWorstSpectrumOfARowReachesTheTopAndNoMore)
{
    for (const double magnitude : {1.0, 0.3, 2.0, 1e4, 65504.0, 1e-7, 3e38})
        for (const int loaded : {1, 2, 4096, 4097, 7681, 65536}) {
            const double scale = half_sample_scale(magnitude, loaded);
            const double worst = 2 * magnitude * loaded * scale;
            EXPECT_TRUE(is_power_of_two(scale)) << magnitude << " " << loaded;
            EXPECT_LE(worst, kMax) << magnitude << " " << loaded;
            EXPECT_GT(worst, kMax / 2) << magnitude << " " << loaded;
        }
}

TEST(HalfRange, TheWorstTransferReachesTheTopAndNoMore)
{
    for (const double sum : {1.0, 0.5, 1e6, 1e-6, 261121.0}) {
        const double worst = 2 * sum * half_psf_scale(sum);
        EXPECT_TRUE(is_power_of_two(half_psf_scale(sum)));
        EXPECT_LE(worst, kMax) << sum;
        EXPECT_GT(worst, kMax / 2) << sum;
    }
}

TEST(HalfRange, TheWorstColumnStaysBelowTheTop)
{
    // Rows and transfer at the top, and a transform back of so many values that is not scaled itself.
    for (const int length : {2, 1080, 4096, 4608, 65536}) {
        const double scale = half_column_scale(length);
        EXPECT_TRUE(is_power_of_two(scale));
        EXPECT_LE(kMax * kMax * length * scale, kMax) << length;
        EXPECT_GT(kMax * kMax * length * scale, kMax / 2) << length;
    }
}

TEST(HalfRange, NothingStaysNothing)
{
    EXPECT_EQ(half_sample_scale(0, 100), 1);
    EXPECT_EQ(half_psf_scale(0), 1);
}

}  // namespace
}  // namespace clconv::test
