// SPDX-License-Identifier: Apache-2.0
#include "passes/light_tables.h"

#include "base/light.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace clconv::test {
namespace {

/// As codes_of() of kernels/samples.cl.
int looked_up(const std::vector<std::uint32_t>& table, float light)
{
    const auto bits = std::bit_cast<std::uint32_t>(std::clamp(light, 0x1p-13F, 0x1.fffffep-1F));
    const std::uint32_t entry = table[(bits >> 16U) - (127U - 13U) * 128U];
    return static_cast<int>((entry >> 17U) + ((bits & 0xffffU) >= (entry & 0x1ffffU) ? 1U : 0U));
}

int rounded(double light) { return static_cast<int>(std::lround(255 * srgb_encoded(std::clamp(light, 0.0, 1.0)))); }

TEST(SrgbCodeTable, IsTheCurveRoundedToNearestAtEveryEdgeOfACode)
{
    const std::vector<std::uint32_t> table = srgb_code_table();
    ASSERT_EQ(table.size(), 13U * 128U);
    for (int code = 1; code < 256; ++code) {
        const double edge = srgb_decoded((code - 0.5) / 255);
        auto above = static_cast<float>(edge);
        if (above < edge) above = std::nextafterf(above, 2.0F);
        EXPECT_EQ(looked_up(table, above), code) << above;
        EXPECT_EQ(looked_up(table, std::nextafterf(above, 0.0F)), code - 1) << above;
    }
}

TEST(SrgbCodeTable, IsTheCurveRoundedToNearestAnywhere)
{
    const std::vector<std::uint32_t> table = srgb_code_table();
    for (const float light : {-1e30F, -0.1F, 0.0F, 1e-30F, 1.0F, 1.5F, 1e30F})
        EXPECT_EQ(looked_up(table, light), rounded(light)) << light;
    std::mt19937 engine(3);
    std::uniform_real_distribution<float> exponent(-14, 0.1F);
    for (int i = 0; i < 100000; ++i) {
        const float light = std::exp2(exponent(engine));
        ASSERT_EQ(looked_up(table, light), rounded(light)) << light;
    }
}

TEST(TablesByCode, AreWhatTheFormulasGiveForEachCode)
{
    const Highlights highlights{.threshold = 0.4, .knee = 0.2, .maximum = 0.9, .boost = 3};
    Problem problem;
    problem.input = SampleType::u8;
    problem.decode_srgb = true;
    const std::vector<double> tables = tables_by_code(problem, highlights);
    ASSERT_EQ(tables.size(), 3 * 256U);
    for (int code = 0; code < 256; ++code) {
        std::vector<double> pixel(3, srgb_decoded(code / 255.0));
        const double light = pixel.front();
        make_bright(pixel, highlights, -1);
        const auto at = static_cast<std::size_t>(code);
        EXPECT_NEAR(tables[at], light, 1e-15);
        EXPECT_NEAR(tables[256 + at], share_of_bright(highlights, light), 1e-15);
        EXPECT_NEAR(tables[512 + at] * light, pixel.front(), 1e-15);
    }
}

TEST(TablesByCode, HoldWhatAProblemNeeds)
{
    const Highlights highlights{.threshold = 0.4};
    Problem problem;
    problem.input = SampleType::u8;
    EXPECT_EQ(tables_by_code(problem, std::nullopt).size(), 0U);
    EXPECT_EQ(tables_by_code(problem, highlights).size(), 512U);
    problem.decode_srgb = true;
    EXPECT_EQ(tables_by_code(problem, std::nullopt).size(), 256U);
    problem.input = SampleType::u16;
    EXPECT_EQ(tables_by_code(problem, highlights).size(), 0U);
}

}  // namespace
}  // namespace clconv::test
