// SPDX-License-Identifier: Apache-2.0
// The tiled method in both shapes, against direct double sums: work-items that share a tile (as on a GPU, whose limits
// these tests pretend to have), and work-items that own one.

#include "base/errors.h"
#include "fft/lane_line.h"
#include "plan/plan_tiled.h"
#include "support/convolution_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv::test {
namespace {

using testing::HasSubstr;

Decisions with_tile(Extent tile, int lanes)
{
    Decisions decisions = with_method(Method::tiled);
    decisions.tile = tile;
    decisions.lanes = lanes;
    return in_general_programs(decisions);
}

TilePlan tiles_of(const Case& c, const std::shared_ptr<Device>& device)
{
    return make_plan(problem_of(c), device->info().traits, c.decisions).tiles();
}

TEST(Tiles, OfEverySizeThatWorkItemsShareAreRight)
{
    for (const Extent tile : {Extent{32, 32}, Extent{32, 64}, Extent{64, 32}, Extent{64, 64}, Extent{96, 96}}) {
        const Case c{{150, 131}, 1, {7, 6}, {2, 3}, 1, Border::clamp, Mode::same, with_tile(tile, 1)};
        ASSERT_EQ(tiles_of(c, gpu()).size, tile);
        expect_right(c, gpu());
    }
}

TEST(Tiles, OfEverySizeThatAWorkItemOwnsAreRight)
{
    for (const int lanes : {kLanes, kWideLanes})
        for (const int side : {32, 64, 128, 192, 256, 320}) {
            const std::uint64_t bytes = (side / lanes * lane_tile_pitch(side) + side) * 2 * lanes * sizeof(float);
            if (bytes > test_device()->info().traits.local_memory) continue;  // a GPU's: the smaller ones fit
            const Case c{{300, 131}, 1, {7, 6}, {2, 3}, 1, Border::clamp, Mode::same, with_tile({side, side}, lanes)};
            ASSERT_EQ(tiles_of(c, test_device()).size, (Extent{side, side}));
            expect_right(c, test_device());
        }
}

/// 58 valid columns are seven vectors of eight, and three and a half of sixteen. Types have stores of their own.
TEST(Tiles, WhoseColumnsEndWithinAVectorAreRight)
{
    for (const int width : {56, 61, 64, 115, 130})
        expect_right({{width, 40}, 1, {7, 6}, {2, 3}, 1, Border::clamp, Mode::same, with_tile({64, 64}, kWideLanes)},
                     test_device());
}

TEST(Tiles, WholeAndInPartsOfLocalMemoryAreRight)
{
    const Case c{{150, 70}, 1, {9, 9}, {4, 4}, 1, Border::reflect, Mode::same, with_tile({64, 64}, 1)};
    ASSERT_FALSE(tiles_of(c, gpu()).split);
    expect_right(c, gpu());
    ASSERT_TRUE(tiles_of(c, small_gpu()).split);
    expect_right(c, small_gpu());
}

TEST(Tiles, AreRightWithEveryBorderAndMode)
{
    constexpr Mode modes[] = {Mode::same, Mode::full, Mode::valid};
    int next = 0;  // each border with two modes, each mode with most borders: programs take their time to build
    for (const Border border : all_values<Border>()) {
        expect_right({{45, 52}, 3, {9, 4}, {3, 1}, 1, border, modes[next++ % 3], with_tile({32, 32}, 1)}, gpu());
        expect_right({{85, 72},
                      2,
                      {9, 4},
                      {3, 1},
                      2,
                      border,
                      modes[next % 3],
                      with_tile({64, 64}, next % 2 == 0 ? kLanes : kWideLanes)},
                     test_device());
    }
}

/// Images of which each tile is an edge, one whose tiles in the middle see no border, and some whose second tile of 32
/// x 32 ends where they do, or one sample beyond.
TEST(Tiles, InsideTheImageAndAtItsEdgesAreRight)
{
    for (const Extent size :
         {Extent{31, 200}, Extent{200, 31}, Extent{160, 160}, Extent{58, 84}, Extent{57, 84}, Extent{84, 57}})
        for (const Border border : {Border::zero, Border::mirror}) {
            expect_right({size, 1, {5, 5}, {2, 2}, 1, border, Mode::same, with_tile({32, 32}, 1)}, gpu());
            expect_right({size, 1, {5, 5}, {2, 2}, 1, border, Mode::same, with_tile({64, 64}, 8)}, test_device());
        }
}

TEST(Tiles, OfTinyImagesAndPsfsLargerThanTheImageAreRight)
{
    for (const Border border : {Border::zero, Border::reflect, Border::renormalize}) {
        expect_right({{1, 1}, 3, {3, 3}, {1, 1}, 1, border, Mode::same, with_tile({32, 32}, 1)}, gpu());
        expect_right({{5, 3}, 3, {27, 20}, {20, 3}, 1, border, Mode::same, with_tile({32, 32}, 1)}, gpu());
        expect_right({{1, 1}, 2, {3, 3}, {1, 1}, 1, border, Mode::full, with_tile({64, 64}, 8)}, test_device());
        expect_right({{5, 3}, 2, {27, 20}, {20, 3}, 1, border, Mode::same, with_tile({64, 64}, 8)}, test_device());
    }
}

TEST(Tiles, OfAnEmptyBorderHoldAnyPsfWhoseReachIsSmall)
{
    // Of 200 x 300 samples no more than 19 x 13 can meet a 10 x 7 image.
    const Case c{{10, 7}, 1, {200, 300}, {80, 290}, 1, Border::zero, Mode::same, with_tile({32, 32}, 1)};
    EXPECT_EQ(tiles_of(c, gpu()).x.taps, 19);
    EXPECT_EQ(tiles_of(c, gpu()).y.taps, 13);
    expect_right(c, gpu());
}

TEST(Tiles, OfOnePixelPsfsAndOfTheLargestPsfTheyHoldAreRight)
{
    for (const Extent psf : {Extent{1, 1}, Extent{29, 29}, Extent{1, 29}})
        expect_right({{40, 37}, 1, psf, {0, 0}, 1, Border::wrap, Mode::same, with_tile({32, 32}, 1)}, gpu());
    for (const Extent psf : {Extent{1, 1}, Extent{57, 57}, Extent{1, 57}})
        expect_right({{80, 67}, 1, psf, {0, 0}, 1, Border::wrap, Mode::same, with_tile({64, 64}, 8)}, test_device());
}

TEST(Tiles, ThatDoNotHoldThePsfAreRefusedWithTheNumbers)
{
    const Case c{{300, 300}, 1, {150, 9}, {75, 4}, 1, Border::clamp, Mode::same, with_method(Method::tiled)};
    try {
        (void)tiles_of(c, small_gpu());
        FAIL();
    } catch (const InvalidProblem& error) {
        EXPECT_THAT(error.what(), HasSubstr("150x9"));
        EXPECT_THAT(error.what(), HasSubstr("32768 bytes"));
        EXPECT_THAT(error.what(), HasSubstr("64x64"));
        EXPECT_THAT(error.what(), HasSubstr("use --method fft"));
    }
}

}  // namespace
}  // namespace clconv::test
