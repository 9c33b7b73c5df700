// SPDX-License-Identifier: Apache-2.0
// When iterations end, and what their residuals say.
#include "engine/richardson_lucy.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace clconv::test {
namespace {

TEST(IsEnough, WhereTheResidualFallsByLessThanTheShareInEachIteration)
{
    constexpr double stop = 0.01;
    const auto falling_by = [](double share) {
        std::vector<double> residuals{5};
        for (int k = 0; k <= kStopsEvery; ++k) residuals.push_back(2 - 2 * share * k);
        return residuals;
    };
    EXPECT_FALSE(is_enough(falling_by(1.01 * stop), stop));
    EXPECT_TRUE(is_enough(falling_by(0.99 * stop), stop));
    EXPECT_FALSE(is_enough(falling_by(0), 0)) << "without --stop";
    EXPECT_FALSE(is_enough(std::vector<double>(kStopsEvery, 1), stop)) << "nothing to compare with";
}

TEST(PsfWarnings, SayThatAPsfWhoseSumIsNot1ChangesTheBrightness)
{
    const Psf psf{"dim", {1, 1}, 1, {0, 0}, {1}};
    EXPECT_TRUE(psf_warnings(psf, 1.005, false).empty());
    ASSERT_EQ(psf_warnings(psf, 1.05, false).size(), 1U);
    EXPECT_NE(psf_warnings(psf, 1.05, false).front().find("sums to 1.05"), std::string::npos);
    EXPECT_TRUE(psf_warnings(psf, 1.05, true).empty()) << "scikit-image does not mind";
}

TEST(SamplesProblem, CountsCodesThatAreClamped)
{
    Problem whole{};
    whole.output = SampleType::u8;
    EXPECT_TRUE(samples_problem(whole).counts_clamped);
    whole.output = SampleType::float32;
    EXPECT_FALSE(samples_problem(whole).counts_clamped);
}

}  // namespace
}  // namespace clconv::test
