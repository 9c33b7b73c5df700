// SPDX-License-Identifier: Apache-2.0
// The numbers of an image that passes read beside its samples.
#include "passes/levels.h"

#include "base/sample_facts.h"
#include "psf/support.h"

#include <gtest/gtest.h>

#include <vector>

namespace clconv::test {
namespace {

/// Three channels: bias 1, 2, 3; added 4, 5, 6; scales 7, 8, 9; minima 10, 11, 12.
LevelScalars levels_of(const Problem& problem, const Blending& blending)
{
    static const std::vector<double> no_bias(3);
    return with_blend({.subtracted = {1, 2, 3},
                       .sample_scale = 0.5,
                       .restored = {4, 5, 6},
                       .scales = {7, 8, 9},
                       .minimum = {10, 11, 12}},
                      problem, {no_bias}, blending);
}

std::vector<double> numbers_of(const Bytes& bytes)
{
    const auto numbers = bytes.as<double>();
    return {numbers.begin(), numbers.end()};
}

Problem problem_of(SampleType input)
{
    Problem problem{};
    problem.channels = 3;
    problem.input = input;
    problem.precision = Precision::float64;
    return problem;
}

TEST(LevelScalars, LieWhereTheSharedTextSays)
{
    Blending blending;
    blending.blend = Blend::sum;
    blending.gain = {0.1, 0.2, 0.3};
    blending.leave = 0.4;
    blending.offset = 0.5;
    blending.highlights = Highlights{.threshold = 0.6, .knee = 0.7, .maximum = 0.8, .boost = 0.9};
    const LevelScalars levels = levels_of(problem_of(SampleType::float64), blending);
    EXPECT_EQ(numbers_of(levels.bias), (std::vector<double>{1, 2, 3, 0.5, 0.6, 0.7, 0.8, 0.9, -1}));
    EXPECT_EQ(numbers_of(levels.restore),
              (std::vector<double>{4,   5,   6,   7,   8,   9,   10,  11,  12,  0.1, 0.2, 0.3,
                                   0.4, 0.4, 0.4, 0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.9, -1}));
}

TEST(LevelScalars, WithoutABlendHaveTheOffsetInWhatIsAdded)
{
    Blending blending;
    blending.offset = 0.5;
    const LevelScalars levels = levels_of(problem_of(SampleType::float64), blending);
    EXPECT_EQ(numbers_of(levels.bias), (std::vector<double>{1, 2, 3, 0.5}));
    EXPECT_EQ(numbers_of(levels.restore), (std::vector<double>{4.5, 5.5, 6.5, 7, 8, 9, 10.5, 11.5, 12.5}));
}

TEST(LevelScalars, FitTheirMemoryWithLayersAndTables)
{
    Blending blending;
    blending.blend = Blend::screen;
    blending.highlights = Highlights{.threshold = 0.5};
    blending.highlights->layers.assign(3, {});
    Problem problem = problem_of(SampleType::u8);
    problem.decode_srgb = true;
    const LevelScalars levels = levels_of(problem, blending);
    EXPECT_EQ(numbers_of(levels.restore).size(), max_levels(3)) << "three tables, and the other levels of each channel";
    EXPECT_LT(levels.bias.size(), levels.restore.size());
}

/// The lower bound of the results of samples from `smallest` on beside a constant border, with weights above 0.
double lower_bound(const Problem& problem, float smallest, double border)
{
    const SampleFacts facts{.minimum = {smallest}};
    const PsfSupport support = full_support({1, 1});
    const std::vector<double> bias{border};
    return min_results(problem, {.bias = bias, .facts = &facts, .support = &support}, {0.75}).front();
}

TEST(MinResults, AreTheBorderWhereNoSampleIsDarkerAndElse0WhereNothingIsNegative)
{
    Problem problem{};
    problem.border = Border::constant;
    EXPECT_EQ(lower_bound(problem, 0.5F, 0.5), 0.75) << "the border, times the PSF's sum";
    EXPECT_EQ(lower_bound(problem, 0.25F, 0.5), 0);
    EXPECT_EQ(lower_bound(problem, -0.25F, 0.5), kNoMinimum);
    EXPECT_EQ(lower_bound(problem, -0.25F, -0.5), 0.75);
    problem.blend.highlights = true;
    EXPECT_EQ(lower_bound(problem, 0.5F, 0.5), 0) << "highlights of samples as bright as the border may be 0";
    EXPECT_EQ(lower_bound(problem, 0, -0.5), kNoMinimum);
    problem.mode = Mode::valid;
    EXPECT_EQ(lower_bound(problem, 0, -0.5), 0) << "no result sees the border";
}

TEST(MinResults, OfDoublesDoNotTrustTheLastBitOfAFloat)
{
    Problem problem{};
    problem.border = Border::constant;
    problem.precision = Precision::float64;
    EXPECT_EQ(lower_bound(problem, 0.5F, 0.5), 0) << "the smallest double may be a little less";
    EXPECT_EQ(lower_bound(problem, 0.5F, 0.25), 0.75);
}

}  // namespace
}  // namespace clconv::test
