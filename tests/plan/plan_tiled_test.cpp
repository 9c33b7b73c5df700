// SPDX-License-Identifier: Apache-2.0
// Tiles: that they cover the result, hold the PSF and fit the device, for hundreds of random problems.

#include "plan/plan_tiled.h"

#include "plan/devices.h"
#include "plan/plan.h"
#include "plan/tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>

namespace clconv::test {
namespace {

using testing::HasSubstr;

Problem with_psf(Extent psf)
{
    return {.image = {640, 480}, .channels = 3, .psf = psf, .origin = {psf.width / 2, psf.height / 2}};
}

void expect_sound(const Problem& problem, const TilePlan& tiles, const DeviceTraits& traits)
{
    SCOPED_TRACE(token(problem) + " in " + to_string(tiles.size));
    const Extent output = output_extent(problem);
    EXPECT_LE(tiles.local_bytes, traits.local_memory);
    EXPECT_LE(static_cast<std::uint64_t>(tiles.items), traits.max_work_group);
    EXPECT_GE(tiles.valid.width, 1);
    EXPECT_GE(tiles.valid.height, 1);
    EXPECT_LE(tiles.valid.width, tiles.size.width - tiles.x.taps + 1);
    EXPECT_LE(tiles.valid.height, tiles.size.height - tiles.y.taps + 1);
    EXPECT_GE(tiles.across * tiles.valid.width, output.width);
    EXPECT_GE(tiles.down * tiles.valid.height, output.height);
    EXPECT_LT((tiles.across - 1) * tiles.valid.width, output.width);
    EXPECT_LT((tiles.down - 1) * tiles.valid.height, output.height);
    EXPECT_EQ(product(tiles.radices_x), tiles.size.width);
    EXPECT_EQ(product(tiles.radices_y), tiles.size.height);
    if (tiles.items == 1) return;
    // Work-items stand in whole lines, and have whole butterflies.
    EXPECT_EQ(tiles.items % tiles.size.width, 0);
    EXPECT_EQ(tiles.items % tiles.size.height, 0);
    const int values = static_cast<int>(tiles.size.pixels()) / tiles.items;
    for (const auto& radices : {tiles.radices_x, tiles.radices_y})
        for (const int radix : radices) EXPECT_EQ(values % radix, 0);
}

TEST(Tiles, CoverTheResultAndFitTheDevice)
{
    std::mt19937 engine(1);
    const auto between = [&](int minimum, int maximum) {
        return std::uniform_int_distribution(minimum, maximum)(engine);
    };
    int planned = 0;
    for (int i = 0; i < 400; ++i) {
        Problem problem = with_psf({between(1, 120), between(1, 60)});
        problem.image = {between(1, 700), between(1, 700)};
        problem.border = between(0, 1) ? Border::zero : Border::mirror;
        problem.mode = between(0, 1) ? Mode::same : Mode::full;
        for (const auto& [traits, lanes] : {std::pair{kNvidia, 1}, {kSmallGpu, 1}, {kCpu, 8}}) {
            const auto tiles = plan_tiles(problem, traits, {}, lanes);
            if (!tiles) continue;
            ++planned;
            expect_sound(problem, *tiles, traits);
        }
    }
    EXPECT_GT(planned, 600);
}

TEST(Tiles, AreNoneWhereThePsfFillsThem)
{
    EXPECT_TRUE(plan_tiles(with_psf({85, 85}), kNvidia, {}, 1));
    EXPECT_FALSE(plan_tiles(with_psf({86, 9}), kNvidia, {}, 1));
    EXPECT_FALSE(plan_tiles(with_psf({85, 85}), kSmallGpu, {}, 1));  // 96x96 does not fit 32 KiB
    EXPECT_TRUE(plan_tiles(with_psf({281, 281}), kCpu, {}, 8));      // 40 of 320 left
    EXPECT_FALSE(plan_tiles(with_psf({9, 282}), kCpu, {}, 8));
}

TEST(Tiles, ThatAreNotOfTheseLanesAreNamed)
{
    Decisions decisions;
    decisions.tile = {96, 96};
    EXPECT_THAT(complaint([&] {
                    (void)required_tiles(with_psf({8, 1}), kCpu, decisions);
                }),
                HasSubstr("tile=96x96: there is none with lanes=8"));
}

TEST(Tiles, AreThePsfsChoiceInImagesOfAnySize)
{
    const std::pair<int, Extent> choices[] = {{15, {192, 192}}, {31, {192, 192}}, {63, {320, 320}}};
    for (const auto& [taps, tile] : choices)
        for (const Extent image : {Extent{64, 64}, Extent{1024, 1024}, Extent{1920, 1080}, Extent{6000, 4000}}) {
            Problem problem = with_psf({taps, taps});
            problem.image = image;
            EXPECT_EQ(plan_tiles(problem, kCpu, {}, 8)->size, tile) << taps << " in " << to_string(image);
            problem.psf = {31, 31};
            problem.origin = {15, 15};
            EXPECT_EQ(plan_tiles(problem, kNvidia, {}, 1)->size, (Extent{96, 96})) << to_string(image);
        }
}

TEST(Tiles, AreTheLargestThatFitACpuWithLittleLocalMemory)
{
    struct {
        unsigned kibibytes;
        int taps;
        Extent tile;
    } const choices[] = {{640, 63, {256, 256}}, {512, 31, {192, 192}}, {256, 31, {128, 128}}, {64, 15, {64, 64}}};
    for (const auto& [kibibytes, taps, tile] : choices) {
        DeviceTraits traits = kCpu;
        traits.local_memory = kibibytes << 10U;
        const auto tiles = plan_tiles(with_psf({taps, taps}), traits, {}, 8);
        ASSERT_TRUE(tiles) << kibibytes;
        EXPECT_EQ(tiles->size, tile) << kibibytes;
    }
}

TEST(Tiles, TakeTheirShareOfTheMethodsWhereSpectraFillTheCache)
{
    Problem problem = with_psf({101, 101});
    problem.channels = 1;
    problem.image = {1024, 1024};
    EXPECT_EQ(make_plan(problem, kCpu).method(), Method::fft);
    problem.image = {3840, 2160};
    EXPECT_EQ(make_plan(problem, kCpu).method(), Method::tiled);
    problem.psf = {127, 127};
    problem.origin = {63, 63};
    EXPECT_EQ(make_plan(problem, kCpu).method(), Method::fft);
}

TEST(Tiles, EveryOneThatCanBeRequestedIsKnown)
{
    const std::vector<std::string> tiles = listed_values("tile");
    ASSERT_FALSE(tiles.empty());
    for (const std::string& tile : tiles) EXPECT_THAT(tile_sizes_text(1) + ", " + tile_sizes_text(8), HasSubstr(tile));
}

TEST(Tiles, AForcedOneMakesThePlanTiled)
{
    Decisions decisions;
    decide(decisions, "tile=32x64");
    const Plan plan = make_plan(with_psf({5, 5}), kNvidia, decisions);
    EXPECT_EQ(plan.method(), Method::tiled);
    EXPECT_EQ(plan.tiles().size, (Extent{32, 64}));
    EXPECT_THAT(describe(plan), HasSubstr("tiles    32x64"));
}

TEST(Tiles, OfAGpuThatIsShortOfLocalMemoryPassPartByPart)
{
    Decisions decisions;
    decisions.tile = {64, 64};
    EXPECT_FALSE(make_plan(with_psf({5, 5}), kNvidia, decisions).tiles().split);
    EXPECT_TRUE(make_plan(with_psf({5, 5}), kSmallGpu, decisions).tiles().split);
}

}  // namespace
}  // namespace clconv::test
