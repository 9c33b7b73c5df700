// SPDX-License-Identifier: Apache-2.0
// Texts taken apart.

#include "base/split.h"

#include "base/parse_number.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace clconv::test {
namespace {

using testing::ElementsAre;

TEST(Split, GivesTheWordsBetweenSeparatorsAlsoEmptyOnes)
{
    EXPECT_THAT(split("a|bc|d", '|'), ElementsAre("a", "bc", "d"));
    EXPECT_THAT(split(",a,,b,", ','), ElementsAre("", "a", "", "b", ""));
    EXPECT_THAT(split("", ','), ElementsAre(""));
    EXPECT_THAT(split("a b", ','), ElementsAre("a b"));
}

TEST(ParseNumber, TakesTheWholeTextOrNothing)
{
    EXPECT_EQ(parse_number<int>("-12"), -12);
    EXPECT_EQ(parse_number<double>("2.5e3"), 2500);
    for (const char* text : {"", " 1", "1 ", "1x", "+1", "0x10", "2147483648"})
        EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
    EXPECT_EQ(parse_number<std::uint8_t>("256"), std::nullopt);
    EXPECT_EQ(parse_number<std::uint8_t>("-1"), std::nullopt);
}

}  // namespace
}  // namespace clconv::test
