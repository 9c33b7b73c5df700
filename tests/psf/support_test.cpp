// SPDX-License-Identifier: Apache-2.0
#include "psf/support.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace clconv {
namespace {

/// Positions of the rotated PSF that runs cover.
std::set<std::pair<int, int>> covered(const ChannelSupport& support)
{
    std::set<std::pair<int, int>> places;
    for (const SupportRun& run : support.runs)
        for (int x = run.first; x <= run.last; ++x) EXPECT_TRUE(places.insert({x, run.row}).second);
    return places;
}

TEST(PsfSupport, IsWhereTheRotatedWeightsAreNotZero)
{
    Psf psf;
    psf.extent = {4, 2};
    psf.weights = {0, 1, 2, 0,  //
                   3, 0, 0, 4};
    const PsfSupport support = support_of(psf);
    const std::set<std::pair<int, int>> expected = {{2, 1}, {1, 1}, {3, 0}, {0, 0}};
    EXPECT_EQ(covered(support.of(0)), expected);
    EXPECT_TRUE(support.of(2).is_nonnegative);
    EXPECT_EQ(support.of(0).row_energies, (std::vector<double>{25, 5}));
    EXPECT_EQ(support.of(0).runs.front().length(), 2) << "the longest first";
}

TEST(PsfSupport, KnowsSumsOfEitherSignOfEachChannel)
{
    Psf psf;
    psf.extent = {2, 1};
    psf.channels = 2;
    psf.weights = {1, 2, 3, -4};
    const PsfSupport support = support_of(psf);
    EXPECT_TRUE(support.of(0).is_nonnegative);
    EXPECT_FALSE(support.of(1).is_nonnegative);
    EXPECT_EQ(support.of(1).positive, 3);
    EXPECT_EQ(support.of(1).negative, 4);
    EXPECT_EQ(support.of(0).row_energies, std::vector<double>{5});
}

}  // namespace
}  // namespace clconv
