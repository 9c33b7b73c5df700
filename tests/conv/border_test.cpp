// SPDX-License-Identifier: Apache-2.0
// Borders against the patterns of docs/conventions.md: n samples, a b c d.

#include "conv/border.h"

#include "conv/direct_reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace clconv::test {
namespace {

constexpr auto kAll = all_values<Border>();

std::vector<Border> extending()
{
    std::vector<Border> found;
    for (const BorderMode& mode : kBorders)
        if (!mode.is_empty) found.push_back(mode.value);
    return found;
}

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

TEST(Border, ThosePicturedInTheHelpLookSo)
{
    for (const BorderMode& mode : kBorders) {
        std::string picture;
        for (const char letter : mode.picture.substr(0, mode.picture.find("   ")))
            if (letter != ' ' && letter != '|') picture += letter == '0' ? '.' : letter;
        if (picture.find_first_not_of(".abcd") != std::string::npos) continue;  // in words
        EXPECT_EQ(drawn(mode.value, 4, -3, 6), picture) << mode.name;
    }
}

TEST(Border, EmptyOnesHaveNothingOutsideAndOthersAlwaysASample)
{
    for (const BorderMode& mode : kBorders)
        for (int n = -9; n < 14; ++n)
            EXPECT_EQ(source_index(mode.value, n, 4).has_value(), !mode.is_empty || (n >= 0 && n < 4)) << mode.name;
}

TEST(Border, WhatNeedsAValueIsSubtractedByIt)
{
    for (const BorderMode& mode : kBorders) EXPECT_EQ(mode.needs_value, mode.bias == BorderBias::value) << mode.name;
}

TEST(Border, PeriodicOnesRepeatAtEveryDistanceOfTheLength)
{
    const auto repeats = [](Border border, int count) {
        for (int n = -9; n < 14; ++n)
            if (source_index(border, n, count) != source_index(border, n + count, count)) return false;
        return true;
    };
    for (const BorderMode& mode : kBorders) EXPECT_EQ(repeats(mode.value, 4), mode.is_periodic) << mode.name;
}

TEST(Border, ThoseWithGapsHaveABiasWhereNoSampleIs)
{
    for (const BorderMode& mode : kBorders) {
        bool lacks_some = false;
        for (int n = -9; n < 14; ++n) lacks_some |= !source_index(mode.value, n, 4);
        EXPECT_EQ(mode.has_gaps(), lacks_some && mode.bias != BorderBias::none) << mode.name;
    }
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
    for (const Border border : extending()) EXPECT_EQ(drawn(border, 1, -4, 4), "aaaaaaaaa") << name_of(border);
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
    for (const char* name : {"", "mirrored", "edge nearest", "wra"}) EXPECT_FALSE(border_named(name)) << name;
}

}  // namespace
}  // namespace clconv::test
