// SPDX-License-Identifier: Apache-2.0
#include "psf/sums.h"

#include <gtest/gtest.h>

namespace clconv {
namespace {

TEST(ChannelSums, AreThoseOfEachChannelAlone)
{
    const Psf psf{"two channels", {3, 1}, 2, {1, 0}, {1, -2, 4, 0.5, 0.25, -0.75}};
    const std::vector<ChannelSum> sums = channel_sums(psf);
    ASSERT_EQ(sums.size(), 2U);
    EXPECT_EQ(sums[0].sum, 3);
    EXPECT_EQ(sums[0].magnitude, 7);
    EXPECT_EQ(sums[1].sum, 0);
    EXPECT_EQ(sums[1].magnitude, 1.5);
}

}  // namespace
}  // namespace clconv
