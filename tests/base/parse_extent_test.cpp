// SPDX-License-Identifier: Apache-2.0
#include "base/parse_extent.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv {
namespace {

std::string complaint(const std::string& text)
{
    try {
        (void)parse_extent("--size", text, Square::no);
    } catch (const InvalidProblem& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(ParseExtent, TheCrossMayBeACapital)
{
    EXPECT_EQ(parse_extent("--size", "640X480", Square::no), (Extent{640, 480}));
    EXPECT_EQ(parse_extent("--psf-size", "15X31", Square::yes), (Extent{15, 31}));
}

TEST(ParseExtent, SidesGoFromOneToTheLongestSide)
{
    EXPECT_EQ(parse_extent("--size", "268435456x1", Square::no), (Extent{kMaxSide, 1}));
    for (const char* text : {"268435457x1", "1x268435457", "2147483647x1", "4294967297x1", "99999999999999999999x1",
                             "0x1", "-1x1", "1x-2147483648"})
        EXPECT_THAT(complaint(text),
                    testing::AllOf(testing::HasSubstr(text), testing::HasSubstr("from 1 to 268435456")));
}

}  // namespace
}  // namespace clconv
