// SPDX-License-Identifier: Apache-2.0
// Problems: their tokens, and what is refused.

#include "conv/problem.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv::test {
namespace {

using testing::HasSubstr;

const Problem kSound{.image = {640, 480},
                     .channels = 3,
                     .input = SampleType::u8,
                     .output = SampleType::half,
                     .psf = {15, 9},
                     .origin = {7, 4}};

std::string complaint(const Problem& problem)
{
    try {
        check(problem);
    } catch (const InvalidProblem& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(Problem, ItsTokenIsOneLineThatHoldsAllOfIt)
{
    EXPECT_EQ(token(kSound), "640x480x3 u8>half * 15x9x1@7,4 clamp same");
}

TEST(Problem, TwoThatDifferHaveDifferentTokens)
{
    std::vector<Problem> problems(10, kSound);
    problems[1].image.width = 641;
    problems[2].channels = 1;
    problems[3].input = SampleType::u16;
    problems[4].output = SampleType::float32;
    problems[5].psf.height = 10;
    problems[6].origin.x = 6;
    problems[7].psf_channels = 3;
    problems[8].border = Border::mirror;
    problems[9].mode = Mode::full;
    for (std::size_t i = 0; i < problems.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(token(problems[i]), token(problems[j])) << i << "," << j;
}

TEST(Problem, ASoundOnePasses) { EXPECT_NO_THROW(check(kSound)); }

TEST(Problem, SamplesOfDoublesAreComputedInDouble)
{
    Problem problem = kSound;
    problem.output = SampleType::float64;
    EXPECT_THAT(complaint(problem), HasSubstr("--precision double"));
    problem.precision = Precision::float64;
    EXPECT_NO_THROW(check(problem));
}

TEST(Problem, AnEmptyImageIsRefused)
{
    Problem problem = kSound;
    problem.image.height = 0;
    EXPECT_THAT(complaint(problem), HasSubstr("640x0x3"));
}

TEST(Problem, AnEmptyPsfIsRefused)
{
    Problem problem = kSound;
    problem.psf.width = 0;
    EXPECT_THAT(complaint(problem), HasSubstr("0x9"));
}

TEST(Problem, AnOriginOutsideThePsfIsRefusedWithTheRangeThatIsInside)
{
    Problem problem = kSound;
    problem.origin = {15, 4};
    const std::string text = complaint(problem);
    EXPECT_THAT(text, HasSubstr("15,4"));
    EXPECT_THAT(text, HasSubstr("X in 0..14 and Y in 0..8"));
    problem.origin = {-1, 4};
    EXPECT_THAT(complaint(problem), HasSubstr("-1,4"));
}

TEST(Problem, APsfWithAnotherNumberOfChannelsIsRefusedNamingBoth)
{
    Problem problem = kSound;
    problem.psf_channels = 2;
    const std::string text = complaint(problem);
    EXPECT_THAT(text, HasSubstr("2 channels"));
    EXPECT_THAT(text, HasSubstr("image 3"));
}

TEST(Problem, ValidWithAPsfLargerThanTheImageIsRefusedNamingBothSizes)
{
    Problem problem = kSound;
    problem.mode = Mode::valid;
    problem.psf = {15, 481};
    const std::string text = complaint(problem);
    EXPECT_THAT(text, HasSubstr("15x481 PSF"));
    EXPECT_THAT(text, HasSubstr("640x480 image"));
    EXPECT_THAT(text, HasSubstr("--mode same or full"));
    problem.psf = {15, 480};
    EXPECT_NO_THROW(check(problem));
}

TEST(Problem, TheOutputsExtentIsThatOfItsMode)
{
    Problem problem = kSound;
    EXPECT_EQ(output_extent(problem), (Extent{640, 480}));
    problem.mode = Mode::full;
    EXPECT_EQ(output_extent(problem), (Extent{654, 488}));
    problem.mode = Mode::valid;
    EXPECT_EQ(output_extent(problem), (Extent{626, 472}));
}

TEST(Problem, FullHasResultsThatNoImageCanBeBlendedWith)
{
    Problem problem = kSound;
    problem.mode = Mode::full;
    EXPECT_NO_THROW(check(problem));
    problem.blend.blend = Blend::sum;
    EXPECT_THAT(complaint(problem), HasSubstr("nothing to blend"));
}

TEST(Problem, ProgramsThatCountAreOthers)
{
    Problem problem = kSound;
    problem.counts_clamped = true;
    EXPECT_EQ(token(problem), token(kSound));
    EXPECT_NE(program_key(problem), program_key(kSound));
}

TEST(Mode, EveryNameLeadsBackToItsMode)
{
    for (const Mode mode : {Mode::same, Mode::full, Mode::valid}) EXPECT_EQ(value_named<Mode>(name_of(mode)), mode);
    EXPECT_FALSE(value_named<Mode>("valide"));
}

TEST(Precision, EveryNameLeadsBackToItsPrecision)
{
    for (const Precision precision : kPrecisions) EXPECT_EQ(value_named<Precision>(name_of(precision)), precision);
    EXPECT_FALSE(value_named<Precision>("single"));
}

TEST(Precision, IsPartOfTheTokenUnlessItIsFloat)
{
    Problem problem = kSound;
    const std::string in_float = token(problem);
    problem.precision = Precision::half;
    EXPECT_EQ(token(problem), in_float + " in half");
    problem.precision = Precision::float64;
    EXPECT_EQ(token(problem), in_float + " in double");
}

TEST(Problem, WhatNoArithmeticHoldsIsRefusedWithTheLimit)
{
    Problem problem = kSound;
    problem.image.width = kMaxSide;
    EXPECT_NO_THROW(check(problem));
    problem.image.width = kMaxSide + 1;
    EXPECT_THAT(complaint(problem), HasSubstr("no side may be longer than 268435456"));
    problem = kSound;
    problem.psf.height = 2147483647;
    EXPECT_THAT(complaint(problem), HasSubstr("no side may be longer than 268435456"));
    problem = kSound;
    problem.channels = kMaxChannels + 1;
    EXPECT_THAT(complaint(problem), HasSubstr("65536 channels"));
    problem = kSound;
    problem.image = {1 << 23, 1 << 24};
    EXPECT_THAT(complaint(problem), HasSubstr("281474976710656 samples"));
    problem.channels = 1;
    EXPECT_NO_THROW(check(problem));
    problem = kSound;
    problem.image = {50'000, 50'000};
    EXPECT_NO_THROW(check(problem));
    problem.layout = Layout::planar;
    EXPECT_THAT(complaint(problem), HasSubstr("planes of more than 2147483647 pixels"));
}

}  // namespace
}  // namespace clconv::test
