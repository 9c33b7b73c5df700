// SPDX-License-Identifier: Apache-2.0
#include "psf/origin.h"

#include "base/errors.h"
#include "psf_tools.h"

namespace clconv::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Position origin(const Psf& psf, std::string_view rule) { return origin_of(psf, parse_origin(rule)); }

TEST(Origin, CenterIsHalfTheSizeForOddAndEvenSizesAlike)
{
    EXPECT_EQ(origin(make_psf({5, 3}, std::vector<double>(15, 1)), "center"), (Position{2, 1}));
    EXPECT_EQ(origin(make_psf({4, 2}, std::vector<double>(8, 1)), "center"), (Position{2, 1}));
    EXPECT_EQ(origin(make_psf({1, 1}, {1}), "center"), (Position{0, 0}));
}

TEST(Origin, CenterOfAFileWhoseRowsCountFromTheLowestLiesBehindItsMiddleInThatDirection)
{
    Psf psf = make_psf({4, 4}, std::vector<double>(16, 1));
    psf.is_bottom_up = true;
    EXPECT_EQ(origin(psf, "center"), (Position{2, 1}));
    psf = make_psf({3, 3}, std::vector<double>(9, 1));
    psf.is_bottom_up = true;
    EXPECT_EQ(origin(psf, "center"), (Position{1, 1}));
}

TEST(Origin, PeakIsTheLargestSampleOfTheChannelsSum)
{
    // Planes (9 0 0) and (0 5 8): sums 9 5 8.
    EXPECT_EQ(origin(make_psf({3, 1}, {9, 0, 0, 0, 5, 8}), "peak"), (Position{0, 0}));
    EXPECT_EQ(origin(make_psf({3, 1}, {9, 0, 0, 0, 5, 10}), "peak"), (Position{2, 0}));
}

TEST(Origin, OfSeveralEqualPeaksTheFirstInReadingOrderIsTaken)
{
    EXPECT_EQ(origin(make_psf({2, 2}, {0, 7, 7, 7}), "peak"), (Position{1, 0}));
}

TEST(Origin, PeakOfNegativeWeightsIsTheLeastNegative)
{
    EXPECT_EQ(origin(make_psf({3, 1}, {-3, -1, -2}), "peak"), (Position{1, 0}));
}

TEST(Origin, CentroidIsTheNearestSampleToTheCentreOfMassOfTheMagnitudes)
{
    EXPECT_EQ(origin(make_psf({4, 1}, {0, 0, 1, 3}), "centroid"), (Position{3, 0}));
    EXPECT_EQ(origin(make_psf({3, 3}, {0, 0, 0, 0, 0, 0, 1, -3, 0}), "centroid"), (Position{1, 2}));
}

TEST(Origin, CentroidLiesBetweenSamples)
{
    const Centroid centre = centroid(make_psf({2, 2}, {1, 1, 1, 1}));
    EXPECT_DOUBLE_EQ(centre.x, 0.5);
    EXPECT_DOUBLE_EQ(centre.y, 0.5);
}

TEST(Origin, CentroidOfZerosIsTheGeometricCentre)
{
    const Centroid centre = centroid(make_psf({4, 3}, std::vector<double>(12, 0)));
    EXPECT_DOUBLE_EQ(centre.x, 1.5);
    EXPECT_DOUBLE_EQ(centre.y, 1.0);
}

TEST(Origin, FixedIsTakenAsGiven)
{
    EXPECT_EQ(origin(make_psf({4, 3}, std::vector<double>(12, 1)), "3,0"), (Position{3, 0}));
}

TEST(Origin, FixedOutsideThePsfIsAProblemThatNamesBoth)
{
    for (const char* outside : {"4,0", "0,3", "-1,0"}) try {
            static_cast<void>(origin(make_psf({4, 3}, std::vector<double>(12, 1)), outside));
            ADD_FAILURE() << outside;
        } catch (const InvalidProblem& error) {
            EXPECT_THAT(error.what(), AllOf(HasSubstr("PSF test"), HasSubstr(outside), HasSubstr("4x3")));
        }
}

TEST(Origin, AnythingElseIsAProblemThatSaysWhatIsWanted)
{
    for (const char* bad : {"", "middle", "3", "3,", ",3", "3,x", "3,4,5", "3.5,2", " 3,4"}) try {
            static_cast<void>(parse_origin(bad));
            ADD_FAILURE() << bad;
        } catch (const InvalidProblem& error) {
            EXPECT_THAT(error.what(), HasSubstr("center, peak, centroid or X,Y"));
        }
}

}  // namespace
}  // namespace clconv::testing
