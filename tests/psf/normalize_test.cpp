// SPDX-License-Identifier: Apache-2.0
#include "psf/normalize.h"

#include "base/errors.h"
#include "psf_tools.h"

#include <cmath>
#include <string>

namespace clconv::testing {
namespace {

using ::testing::AllOf;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string problem(const Psf& psf, Normalization how)
{
    try {
        static_cast<void>(normalized(psf, how));
    } catch (const InvalidProblem& error) {
        return error.what();
    }
    ADD_FAILURE() << "no InvalidProblem";
    return {};
}

TEST(Normalize, SumMakesEachChannelSumToOne)
{
    const Psf psf = normalized(make_psf({2, 1}, {1, 3, 2, 6}), Normalization::sum);
    EXPECT_THAT(psf.weights, ElementsAre(0.25, 0.75, 0.25, 0.75));
}

TEST(Normalize, SumAllKeepsTheColour)
{
    // Sums 4 and 8, mean 6.
    const Psf psf = normalized(make_psf({2, 1}, {1, 3, 2, 6}), Normalization::sum_all);
    EXPECT_THAT(psf.weights, ElementsAre(DoubleEq(1.0 / 6), DoubleEq(0.5), DoubleEq(1.0 / 3), DoubleEq(1.0)));
}

TEST(Normalize, PeakDividesByTheLargestMagnitudeOfAllChannels)
{
    const Psf psf = normalized(make_psf({2, 1}, {1, 3, 2, -4}), Normalization::peak);
    EXPECT_THAT(psf.weights, ElementsAre(0.25, 0.75, 0.5, -1));
}

TEST(Normalize, NoneChangesNothing)
{
    EXPECT_THAT(normalized(make_psf({2, 1}, {1, -1}), Normalization::none).weights, ElementsAre(1, -1));
}

TEST(Normalize, ANegativeSumBecomesOneToo)
{
    EXPECT_THAT(normalized(make_psf({2, 1}, {-1, -3}), Normalization::sum).weights, ElementsAre(0.25, 0.75));
}

TEST(Normalize, ASumThatCancelsIsAProblemThatNamesThePsfAndTheWayOut)
{
    const Psf edge = make_psf({3, 1}, {-1, 1e-7, 1});
    for (const Normalization how : {Normalization::sum, Normalization::sum_all})
        EXPECT_THAT(problem(edge, how), AllOf(HasSubstr("PSF test"), HasSubstr("--normalize none")));
}

TEST(Normalize, ASumJustAboveTheLimitIsUsed)
{
    const Psf psf = normalized(make_psf({2, 1}, {-1, 1 + 3e-6}), Normalization::sum);
    EXPECT_NEAR(psf.weights[0] + psf.weights[1], 1.0, 1e-9);
}

TEST(Normalize, OneChannelThatCancelsIsNamed)
{
    EXPECT_THAT(problem(make_psf({2, 1}, {1, 1, 1, -1}), Normalization::sum), HasSubstr("channel 1"));
}

TEST(Normalize, APsfOfZerosHasNeitherSumNorPeak)
{
    const Psf zeros = make_psf({2, 1}, {0, 0});
    for (const Normalization how : {Normalization::sum, Normalization::sum_all, Normalization::peak})
        EXPECT_THAT(problem(zeros, how), HasSubstr("--normalize none"));
}

TEST(Normalize, AWeightThatIsNotFiniteIsAProblemUnderEveryRule)
{
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL})
        for (const Normalization how :
             {Normalization::sum, Normalization::sum_all, Normalization::peak, Normalization::none})
            EXPECT_THAT(problem(make_psf({2, 1}, {1, bad}), how), HasSubstr("not finite"));
}

TEST(Normalize, WeightsWhoseSumsWouldLeaveFloatAreRefused)
{
    EXPECT_NO_THROW((void)normalized(make_psf({2, 1}, {1, 9e29}), Normalization::none));
    EXPECT_THAT(problem(make_psf({2, 1}, {1, 1.1e30}), Normalization::none), HasSubstr("computed in float"));
}

TEST(Normalize, AWeightOfAFileWhoseRowsCountFromTheLowestIsNamedByItsPixelToo)
{
    Psf psf = make_psf({2, 3}, {1, 1, 1, 1, 1, std::nan("")});
    EXPECT_THAT(problem(psf, Normalization::sum), AllOf(HasSubstr("x 1, y 2"), Not(HasSubstr("FITS"))));
    psf.is_bottom_up = true;
    EXPECT_THAT(problem(psf, Normalization::sum), HasSubstr("x 1, y 2 (FITS pixel 2,1)"));
}

TEST(Normalize, RulesHaveTheNamesOfTheOption)
{
    EXPECT_EQ(value_named<Normalization>("sum"), Normalization::sum);
    EXPECT_EQ(value_named<Normalization>("sum-all"), Normalization::sum_all);
    EXPECT_EQ(value_named<Normalization>("peak"), Normalization::peak);
    EXPECT_EQ(value_named<Normalization>("none"), Normalization::none);
    EXPECT_EQ(value_named<Normalization>("sum_all"), std::nullopt);
}

TEST(Gray, IsTheMeanOfTheChannels)
{
    const Psf psf = gray(make_psf({2, 1}, {1, 3, 2, 6, 3, 0}));
    EXPECT_EQ(psf.channels, 1);
    EXPECT_THAT(psf.weights, ElementsAre(2, 3));
}

TEST(MatchedToChannels, LeavesAGrayPsfAsItIs)
{
    for (const int channels : {1, 2, 3, 4, 7})
        EXPECT_EQ(matched_to_channels(make_psf({2, 1}, {1, 3}), {channels}).channels, 1);
}

TEST(MatchedToChannels, GivesAlphaTheMeanOfTheColoursInItsPlace)
{
    const Psf colours = make_psf({1, 1}, {1, 2, 6});
    EXPECT_THAT(matched_to_channels(colours, {3}).weights, ElementsAre(1, 2, 6));
    EXPECT_THAT(matched_to_channels(colours, {4, 3}).weights, ElementsAre(1, 2, 6, 3));
    EXPECT_THAT(matched_to_channels(colours, {4, 0}).weights, ElementsAre(3, 1, 2, 6));
    EXPECT_EQ(matched_to_channels(colours, {4, 1}).channels, 4);
}

TEST(MatchedToChannels, AnythingElseIsAProblemThatNamesBothCounts)
{
    const Psf colours = make_psf({1, 1}, {1, 2, 6});
    for (const auto& [channels, alpha] : {std::pair{1, -1}, {4, -1}, {3, 2}, {5, 4}}) try {
            static_cast<void>(matched_to_channels(colours, {channels, alpha}));
            ADD_FAILURE() << channels << " channels, alpha " << alpha;
        } catch (const InvalidProblem& error) {
            EXPECT_THAT(error.what(), AllOf(HasSubstr("PSF test: has 3 channels"), HasSubstr("--psf-gray")));
        }
}

TEST(Flipped, TurnsEachPlaneAndTheOrigin)
{
    Psf psf = make_psf({2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    psf.origin = {1, 0};
    const Psf flipped_psf = flipped(psf);
    EXPECT_THAT(flipped_psf.weights, ElementsAre(4, 3, 2, 1, 8, 7, 6, 5));
    EXPECT_EQ(flipped_psf.origin, (Position{0, 1}));
}

}  // namespace
}  // namespace clconv::testing
