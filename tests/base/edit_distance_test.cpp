// SPDX-License-Identifier: Apache-2.0
#include "base/edit_distance.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace clconv {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsAndReplacements)
{
    EXPECT_EQ(edit_distance("", ""), 0U);
    EXPECT_EQ(edit_distance("", "run"), 3U);
    EXPECT_EQ(edit_distance("blom", "bloom"), 1U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(EditDistance, CountsAnExchangeOfNeighboursOnce)
{
    EXPECT_EQ(edit_distance("rnu", "run"), 1U);
    EXPECT_EQ(edit_distance("outptu", "output"), 1U);
    EXPECT_EQ(edit_distance("ca", "abc"), 3U);  // of the two characters exchanged, none is edited again
}

TEST(NearestWord, IsTheOnlyOneThatBeginsSo)
{
    const std::vector<std::string> words{"gaussian", "glow", "disc", "diffraction", "diffusion"};
    EXPECT_EQ(nearest_word("gauss", words), "gaussian");
    EXPECT_EQ(nearest_word("diff", words), "");
    EXPECT_EQ(nearest_word("g", words), "");
}

TEST(NearestWord, IsNoneThatIsFarAway)
{
    const std::vector<std::string> words{"run", "bloom"};
    EXPECT_EQ(nearest_word("walk", words), "");
    EXPECT_EQ(nearest_word(std::string(65, 'r'), words), "");
    EXPECT_EQ(did_you_mean("walk", words), "");
    EXPECT_EQ(did_you_mean("rin", words), " (did you mean run?)");
}

}  // namespace
}  // namespace clconv
