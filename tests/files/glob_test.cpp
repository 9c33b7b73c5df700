// SPDX-License-Identifier: Apache-2.0
#include "files/glob.h"

#include <gtest/gtest.h>

namespace clconv {
namespace {

TEST(Glob, StarMatchesAnyRunAlsoNone)
{
    EXPECT_TRUE(matches_name("*.png", "a.png"));
    EXPECT_TRUE(matches_name("*.png", ".png"));
    EXPECT_TRUE(matches_name("a*b*c", "a-b-b-c"));
    EXPECT_FALSE(matches_name("*.png", "a.png.txt"));
    EXPECT_FALSE(matches_name("a*b", "ac"));
}

TEST(Glob, QuestionMarkMatchesExactlyOneCharacter)
{
    EXPECT_TRUE(matches_name("a?c", "abc"));
    EXPECT_FALSE(matches_name("a?c", "ac"));
}

TEST(Glob, CharactersAreThoseOfUtf8)
{
    EXPECT_TRUE(matches_name("gr?n[0-9].png", "grün7.png"));
    EXPECT_FALSE(matches_name("gr??n.png", "grün.png"));
    EXPECT_TRUE(matches_name("[äö]l", "öl"));
    EXPECT_TRUE(matches_name("[!a-z]l", "öl"));
    EXPECT_TRUE(matches_name("?\xFF*", "\xFE\xFF")) << "bytes that are no UTF-8 are characters of their own";
}

TEST(Glob, SetsHoldRangesNegationAndAClosingBracketThatComesFirst)
{
    EXPECT_TRUE(matches_name("img[0-9].png", "img7.png"));
    EXPECT_FALSE(matches_name("img[0-9].png", "imgx.png"));
    EXPECT_TRUE(matches_name("[!a]b", "cb"));
    EXPECT_FALSE(matches_name("[!a]b", "ab"));
    EXPECT_TRUE(matches_name("[]x]", "]"));
}

TEST(Glob, BracketWithoutPartnerStandsForItself) { EXPECT_TRUE(matches_name("a[1", "a[1")); }

TEST(Glob, PathsAreMatchedComponentByComponent)
{
    EXPECT_TRUE(matches_path("in/*/a.png", "in/x/a.png"));
    EXPECT_FALSE(matches_path("in/*.png", "in/x/a.png"));
}

TEST(Glob, TwoStarsMatchAnyNumberOfFoldersAlsoNone)
{
    EXPECT_TRUE(matches_path("in/**/a.png", "in/a.png"));
    EXPECT_TRUE(matches_path("in/**/a.png", "in/x/y/a.png"));
    EXPECT_FALSE(matches_path("in/**/a.png", "out/a.png"));
}

TEST(Glob, ManyStarsAndFoldersTakeNoTime)
{
    std::string pattern, path;
    for (int i = 0; i < 40; ++i) pattern += "**/a/";
    for (int i = 0; i < 200; ++i) path += "a/";
    EXPECT_TRUE(matches_path(pattern + "a", path + "a"));
    EXPECT_FALSE(matches_path(pattern + "b", path + "a"));
}

}  // namespace
}  // namespace clconv
