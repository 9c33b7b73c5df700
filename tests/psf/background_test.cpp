// SPDX-License-Identifier: Apache-2.0
#include "psf/background.h"

#include "psf_tools.h"

#include <algorithm>

namespace clconv::testing {
namespace {

using ::testing::ElementsAre;

/// 32 x 32: 1 in a frame two samples wide, 2 in a frame of two samples inside of that, 9 in the middle.
Psf framed()
{
    std::vector<double> weights;
    for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) {
            const int depth = std::min({x, y, 31 - x, 31 - y});
            weights.push_back(depth < 2 ? 1 : depth < 4 ? 2 : 9);
        }
    return make_psf({32, 32}, std::move(weights));
}

TEST(PsfBackground, IsTheMedianOfAFrameOfASixteenthOfTheSide)
{
    Psf psf = framed();
    EXPECT_EQ(edge_median(psf, 0), 1);
    // Half of the 240 samples of that frame are brighter, and so is all inside.
    for (int i = 0, changed = 0; changed < 121; ++i)
        if (psf.weights[static_cast<std::size_t>(i)] == 1) psf.weights[static_cast<std::size_t>(i)] = 3, ++changed;
    EXPECT_EQ(edge_median(psf, 0), 3);
    EXPECT_EQ(edge_median(make_psf({2, 2}, {1, 2, 4, 8}), 0), 3);
}

TEST(PsfBackground, IsSubtractedFromEachChannelAndLeavesNothingBelow0)
{
    const Psf psf = make_psf({3, 1}, {1, 5, 1, 0, 7, 4});
    EXPECT_THAT(without_background(psf, {2}).weights, ElementsAre(0, 3, 0, 0, 5, 2));
    EXPECT_THAT(without_background(psf, {}).weights, ElementsAre(0, 4, 0, 0, 3, 0));
}

}  // namespace
}  // namespace clconv::testing
