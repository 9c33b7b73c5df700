// SPDX-License-Identifier: Apache-2.0
#include "psf/crop.h"

#include "psf_tools.h"

#include <numeric>
#include <random>

namespace clconv::testing {
namespace {

using ::testing::ElementsAre;

TEST(Crop, TakesTheLinesThatHoldLeast)
{
    Psf psf = make_psf({3, 3}, {0, 1, 0, 2, 9, 2, 0, 1, 0});
    psf.origin = {1, 1};
    const Psf trimmed = cropped(psf, 13);
    EXPECT_EQ(trimmed.extent, (Extent{3, 1}));
    EXPECT_THAT(trimmed.weights, ElementsAre(2, 9, 2));
    EXPECT_EQ(trimmed.origin, (Position{1, 0}));
}

TEST(Crop, KeepsASquareOfASquare)
{
    Psf psf = make_psf({3, 3}, {1, 1, 1, 1, 9, 1, 1, 1, 1});
    psf.origin = {1, 1};
    EXPECT_EQ(cropped(psf, 10).extent, (Extent{3, 3}));
    EXPECT_EQ(cropped(psf, 9).extent, (Extent{1, 1}));
}

TEST(Crop, KeepsTheOriginOnItsSampleAndTheShareOfAnyPsf)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> weight(-1, 1);
    for (int trial = 0; trial < 200; ++trial) {
        const Extent extent{1 + trial % 7, 1 + trial % 11};
        std::vector<double> weights(2 * extent.pixels());
        for (double& value : weights) value = weight(random);
        Psf psf = make_psf(extent, weights);
        psf.origin = {trial % extent.width, trial / 3 % extent.height};
        const double kept = sum_of_magnitudes(psf) * (trial % 10) / 10;
        const Psf trimmed = cropped(psf, kept);
        EXPECT_GE(sum_of_magnitudes(trimmed), kept * (1 - 1e-12));
        EXPECT_EQ(trimmed.at(trimmed.origin.x, trimmed.origin.y, 1), psf.at(psf.origin.x, psf.origin.y, 1));
    }
}

TEST(Crop, LeavesWhatHoldsNothing)
{
    Psf psf = make_psf({3, 2}, std::vector<double>(6));
    EXPECT_EQ(cropped(psf, 0).extent, (Extent{3, 2}));
}

}  // namespace
}  // namespace clconv::testing
