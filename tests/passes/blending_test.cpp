// SPDX-License-Identifier: Apache-2.0
// What is bright, and how a result meets its image: numbers worked out by hand.

#include "passes/blending.h"

#include <gtest/gtest.h>

namespace clconv {
namespace {

TEST(Blending, OfHighlightsWithoutAKneeOnlyWhatLiesAboveTheThresholdCounts)
{
    const Highlights highlights{.threshold = 0.5};
    EXPECT_EQ(share_of_bright(highlights, 0.25), 0);
    EXPECT_EQ(share_of_bright(highlights, 0.5), 0);
    EXPECT_DOUBLE_EQ(share_of_bright(highlights, 2), 0.75);
    EXPECT_EQ(share_of_bright(highlights, 0), 0);
    EXPECT_EQ(share_of_bright(highlights, -1), 0);
}

TEST(Blending, AKneeIsAParabolaThatMeetsBothSides)
{
    const Highlights highlights{.threshold = 1, .knee = 0.5};
    EXPECT_EQ(share_of_bright(highlights, 0.5), 0);
    EXPECT_DOUBLE_EQ(share_of_bright(highlights, 1), 0.125);  // 0.5^2 / (4 0.5)
    EXPECT_DOUBLE_EQ(share_of_bright(highlights, 1.5) * 1.5, 0.5);
    EXPECT_DOUBLE_EQ(share_of_bright(highlights, 3) * 3, 2);
}

TEST(Blending, AClampCutsWhatCounts)
{
    const Highlights highlights{.threshold = 1, .maximum = 4};
    EXPECT_DOUBLE_EQ(share_of_bright(highlights, 1000) * 1000, 3);
}

TEST(Blending, ABoostIsFullAtWhiteAndOverWhereMoreIsStored)
{
    const Highlights highlights{.boost = 3};
    EXPECT_EQ(boost_of(highlights, 0.8), 1);
    EXPECT_DOUBLE_EQ(boost_of(highlights, 0.9), 1.75);
    EXPECT_DOUBLE_EQ(boost_of(highlights, 1), 4);
    EXPECT_DOUBLE_EQ(boost_of(highlights, 2), 2);
    EXPECT_EQ(boost_of(highlights, 8), 1);
}

TEST(Blending, ThePeakIsThatOfTheColoursAndAlphaStays)
{
    std::vector<double> pixel{0.25, 2, 1, 0.5};
    make_bright(pixel, {.threshold = 1}, 3);
    EXPECT_EQ(pixel, (std::vector<double>{0.125, 1, 0.5, 0.5}));
}

TEST(Blending, InLayersAPeakIsThatOfATripleAndAlphaStays)
{
    using enum Colour;
    const std::vector<LayerChannel> layers{{red, 0}, {blue, 1}, {green, 1}, {red, 1},
                                           {none},   {alpha},   {green, 0}, {blue, 0}};
    ImageView image;
    image.layers = layers;
    const Blending blending = blending_for(
        {.blend = Blend::sum, .gain = {4, 2, 0}, .highlights = Highlights{.threshold = 1}, .keeps_alpha = true}, image);
    EXPECT_TRUE(blending.shape().layers);
    std::vector<double> pixel{0.25, 0.5, 2, 4, 1, 0.5, 0.5, 0.75};
    make_bright(pixel, *blending.highlights, -1);
    EXPECT_EQ(pixel, (std::vector<double>{0, 0.375, 1.5, 3, 0, 0, 0, 0}));
    std::vector<double> gains;
    for (int c = 0; c < 8; ++c) gains.push_back(blend_of(blending, {8}, c).gain);
    EXPECT_EQ(gains, (std::vector<double>{4, 0, 2, 4, 2, 0, 2, 0}));
    const std::vector<double> numbers = highlight_scalars(*blending.highlights, {8});
    EXPECT_EQ(std::vector(numbers.begin() + 5, numbers.end()),
              (std::vector<double>{6, 7, 1, 2, -1, 1, -2, -1, 0, 0, 0, 0, -6, 1, -7, -1}));
}

TEST(Blending, ATintIsForColoursAndOthersGetItsMean)
{
    const Blending blending{.blend = Blend::sum, .gain = {3, 2, 1}, .offset = 0.5, .keeps_alpha = true};
    EXPECT_EQ(blend_of(blending, {4, 3}, 1).gain, 2);
    EXPECT_EQ(blend_of(blending, {4, 3}, 0).gain, 3);
    EXPECT_EQ(blend_of(blending, {5, 3}, 4).gain, 2);
    EXPECT_EQ(blend_of(blending, {1}, 0).gain, 2);
    EXPECT_EQ(blend_of(blending, {4, 3}, 3).gain, 0);
    EXPECT_EQ(blend_of(blending, {4, 3}, 3).offset, 0);
}

TEST(Blending, AScreenLeavesNoRoomAboveWhite)
{
    Blending blending{.blend = Blend::screen};
    EXPECT_DOUBLE_EQ(blended(blending, {std::vector{0.5}}, 0, 0.5), 0.75);
    EXPECT_DOUBLE_EQ(blended(blending, {std::vector{7.0}}, 0, 0.5), 7);
    blending.blend = Blend::none;
    blending.offset = 1;
    EXPECT_DOUBLE_EQ(blended(blending, {std::vector{7.0}}, 0, 0.5), 1.5);
}

TEST(Blending, ImagesThatWereNeverClippedAreBoostedIfThatWasRequested)
{
    Blending blending{.highlights = Highlights{.boost = 3}};
    ImageView clipped;
    clipped.is_clipped = true;
    ImageView light;
    light.is_clipped = false;
    EXPECT_EQ(blending_for(blending, light).highlights->boost, 3);
    blending.boosts_floats = false;
    EXPECT_EQ(blending_for(blending, light).highlights->boost, 0);
    EXPECT_EQ(blending_for(blending, clipped).highlights->boost, 3);
}

TEST(Blending, APartOfAMask)
{
    const Mask mask{{3, 2}, {1, 2, 3, 4, 5, 6}};
    EXPECT_EQ(part_of(mask, {1, 0}, {2, 2}), (std::vector<double>{2, 3, 5, 6}));
}

}  // namespace
}  // namespace clconv
