// Borders against the patterns of docs/conventions.md: n samples, a b c d.

#include "conv/border.h"

#include <gtest/gtest.h>

#include <string>

namespace clconv::test {
namespace {

constexpr Border kAll[] = {Border::zero,   Border::constant, Border::clamp,      Border::wrap,
                           Border::mirror, Border::reflect,  Border::renormalize};
constexpr Border kExtending[] = {Border::clamp, Border::wrap, Border::mirror, Border::reflect};

/// The samples from `first` to `last` as letters; '.' where there is none.
std::string drawn(Border border, int count, int first, int last)
{
    std::string text;
    for (int n = first; n <= last; ++n) {
        const auto index = source_index(border, n, count);
        text += index ? static_cast<char>('a' + *index) : '.';
    }
    return text;
}

TEST(Border, ClampRepeatsTheEdge) { EXPECT_EQ(drawn(Border::clamp, 4, -3, 6), "aaaabcdddd"); }
TEST(Border, WrapRepeatsTheLine) { EXPECT_EQ(drawn(Border::wrap, 4, -3, 6), "bcdabcdabc"); }
TEST(Border, MirrorRepeatsTheEdgeSample) { EXPECT_EQ(drawn(Border::mirror, 4, -3, 6), "cbaabcddcb"); }
TEST(Border, ReflectTurnsAtTheEdgeSample) { EXPECT_EQ(drawn(Border::reflect, 4, -3, 6), "dcbabcdcba"); }

TEST(Border, OthersHaveNothingOutside)
{
    for (const Border border : {Border::zero, Border::constant, Border::renormalize}) {
        EXPECT_EQ(drawn(border, 4, -3, 6), "...abcd...");
        EXPECT_TRUE(is_empty_outside(border));
    }
}

TEST(Border, ExtendingBordersAreNotEmptyOutside)
{
    for (const Border border : kExtending) EXPECT_FALSE(is_empty_outside(border)) << name_of(border);
}

TEST(Border, MirrorAndReflectRepeatForPositionsFarOutside)
{
    EXPECT_EQ(drawn(Border::mirror, 3, -9, 11), "cbaabccbaabccbaabccba");
    EXPECT_EQ(drawn(Border::reflect, 3, -8, 10), "abcbabcbabcbabcbabc");
}

TEST(Border, FarPositionsHaveThePeriodOfTheirBorder)
{
    for (int count = 1; count <= 5; ++count)
        for (int n = -7; n < 12; ++n) {
            EXPECT_EQ(source_index(Border::wrap, n, count), source_index(Border::wrap, n + 1000 * count, count));
            EXPECT_EQ(source_index(Border::mirror, n, count), source_index(Border::mirror, n - 2000 * count, count));
            EXPECT_EQ(source_index(Border::reflect, n, count),
                      source_index(Border::reflect, n + 2000 * (count - 1), count));
        }
}

TEST(Border, OneSampleIsItsOwnSurroundings)
{
    for (const Border border : kExtending) EXPECT_EQ(drawn(border, 1, -4, 4), "aaaaaaaaa") << name_of(border);
}

TEST(Border, InsideEverySampleStandsAtItsOwnPosition)
{
    for (const Border border : kAll) EXPECT_EQ(drawn(border, 5, 0, 4), "abcde") << name_of(border);
}

TEST(Border, EveryNameLeadsBackToItsBorder)
{
    for (const Border border : kAll) EXPECT_EQ(border_named(name_of(border)), border);
}

TEST(Border, AliasesAreKnown)
{
    EXPECT_EQ(border_named("black"), Border::zero);
    for (const char* name : {"edge", "nearest", "replicate"}) EXPECT_EQ(border_named(name), Border::clamp) << name;
    EXPECT_EQ(border_named("periodic"), Border::wrap);
    EXPECT_EQ(border_named("symmetric"), Border::mirror);
    EXPECT_EQ(border_named("reflect101"), Border::reflect);
    EXPECT_FALSE(border_named("mirrored"));
}

}  // namespace
}  // namespace clconv::test
