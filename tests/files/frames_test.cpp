// SPDX-License-Identifier: Apache-2.0
#include "files/frames.h"

#include "base/errors.h"
#include "files/temporary_folder.h"

#include <gmock/gmock.h>

namespace clconv {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Frames, AreRangesStepsAndLists)
{
    EXPECT_THAT(parse_frames("1001-1003"), ElementsAre(1001, 1002, 1003));
    EXPECT_THAT(parse_frames("10-15x2"), ElementsAre(10, 12, 14));
    EXPECT_THAT(parse_frames("8,1-3,2"), ElementsAre(1, 2, 3, 8));
    EXPECT_THAT(parse_frames("-12--10"), ElementsAre(-12, -11, -10));
    EXPECT_THAT(parse_frames("-4-3x3"), ElementsAre(-4, -1, 2));
    EXPECT_THAT(parse_frames("-9--2x5,-1,7"), ElementsAre(-9, -4, -1, 7));
    EXPECT_THAT(parse_frames("-999999999"), ElementsAre(-999999999));
    EXPECT_THAT(parse_frames("999999998-999999999x999999999"), ElementsAre(999999998));
}

TEST(Frames, ThatMakeNoSenseAreNamed)
{
    for (const char* text : {"", "a", "1-", "-", "--5", "1--5", "-1--5", "-5-", "1---2", "1,,2", "5-1", "1-5x0",
                             "1-5x-1", "1-5x", "1x2", "1.5", "1234567890", "1-5y2"})
        EXPECT_THAT(message_of<InvalidProblem>([&] { (void)parse_frames(text); }),
                    AllOf(HasSubstr(std::string("--frames ") + text), HasSubstr("1001-1100x2")))
            << text;
    EXPECT_THAT(message_of<InvalidProblem>([] { (void)parse_frames("0-1000000"); }), HasSubstr("more than 1000000"));
}

TEST(Frames, HavePlacesOfOneDigitASignOrOfFourForASingleHashOrPrintfs)
{
    const auto ninth = [](const char* pattern) { return frame_pattern(pattern)->file(9).string(); };
    EXPECT_EQ(ninth("in/shot.#.exr"), "in/shot.0009.exr");
    EXPECT_EQ(ninth("in/shot.##.exr"), "in/shot.09.exr");
    EXPECT_EQ(ninth("shot.@@@@.exr"), "shot.0009.exr");
    EXPECT_EQ(ninth("shot@.exr"), "shot9.exr");
    EXPECT_EQ(ninth("/a#/shot_%05d.exr"), "/a#/shot_00009.exr");
    EXPECT_EQ(ninth("%d"), "9");
    EXPECT_EQ(ninth("take#2.@@.exr"), "take#2.09.exr");
    for (const char* none : {"shot.exr", "a#/shot.exr", "100%.exr", "%4d.exr", "shot*.##.exr"})
        EXPECT_FALSE(frame_pattern(none)) << none;
}

TEST(Frames, AreKnownByTheirPaddingAsPrintfWouldWriteIt)
{
    const FramePattern pattern = *frame_pattern("shot.####.exr");
    EXPECT_EQ(pattern.number_in("shot.0007.exr"), 7);
    EXPECT_EQ(pattern.number_in("shot.12345.exr"), 12345);
    EXPECT_EQ(pattern.number_in("shot.0000.exr"), 0);
    EXPECT_EQ(pattern.number_in("shot.-012.exr"), -12);
    EXPECT_EQ(pattern.number_in("shot.-003.exr"), -3);
    EXPECT_EQ(pattern.number_in("shot.-1234.exr"), -1234);
    for (const char* none :
         {"shot.7.exr", "shot.00007.exr", "shot..exr", "shot.000a.exr", "shot.0007.exr.tmp", "other.0007.exr",
          "shot.-0007.exr", "shot.-7.exr", "shot.-000.exr", "shot.-.exr", "shot.--12.exr", "shot.12345678901.exr"})
        EXPECT_FALSE(pattern.number_in(none)) << none;
    EXPECT_EQ(frame_pattern("a@.exr")->number_in("a0.exr"), 0);
    EXPECT_EQ(frame_pattern("a%d.exr")->number_in("a-7.exr"), -7);
    EXPECT_EQ(frame_pattern("a-%02d.exr")->number_in("a-07.exr"), 7);
    for (const int number : {-12345, -999, -12, -1, 0, 7, 9999, 10000})
        EXPECT_EQ(pattern.number_in(pattern.file(number).string()), number);
}

TEST(Frames, AreOrderedByNumber)
{
    const FramePattern pattern = *frame_pattern("in/./shot.####.exr");
    EXPECT_LT(pattern.order(9999), pattern.order(10000));
    EXPECT_LT(pattern.order(10000), "in/shot.a.exr");
    for (const auto& [less, more] : {std::pair{-999999999, -12}, {-12, -3}, {-3, -1}, {-1, 0}, {-1000, -999}})
        EXPECT_LT(pattern.order(less), pattern.order(more));
}

}  // namespace
}  // namespace clconv
