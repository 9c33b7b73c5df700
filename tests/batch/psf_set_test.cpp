// SPDX-License-Identifier: Apache-2.0
#include "batch/psf_set.h"

#include <gtest/gtest.h>

namespace clconv {
namespace {

std::shared_ptr<const Psf> point() { return std::make_shared<const Psf>(Psf{"point", {1, 1}, 1, {0, 0}, {1}}); }

TEST(PsfSet, GivesWhatItWasGivenWhereSizesDoNotMatter)
{
    const PsfSet set({point(), point()});
    EXPECT_EQ(set.of(1, {10, 20}), set.all()[1]);
    EXPECT_EQ(set.of(1, {30, 40}), set.all()[1]);
}

TEST(PsfSet, MakesOnePsfForEachShorterSide)
{
    int made = 0;
    const PsfSet set({point(), point()}, [&](const Psf& psf, int shorter_side) {
        ++made;
        Psf result = psf;
        result.weights[0] = shorter_side;
        return result;
    });
    const auto psf = set.of(0, {30, 20});
    EXPECT_EQ(psf->weights[0], 20);
    EXPECT_EQ(set.of(0, {99, 20}), psf);
    EXPECT_EQ(set.of(0, {20, 30}), psf) << "a portrait";
    EXPECT_NE(set.of(1, {30, 20}), psf);
    EXPECT_EQ(made, 2);
}

TEST(PsfSet, TurnsWhatIsGivenAsViewedUnlessItIsSymmetric)
{
    const auto row = std::make_shared<const Psf>(Psf{"row", {3, 1}, 1, {1, 0}, {1, 2, 3}});
    const auto even = std::make_shared<const Psf>(Psf{"even", {3, 3}, 1, {1, 1}, std::vector<double>(9, 1)});
    const PsfSet viewed({row, even});
    const auto adapted = viewed.of(0, {10, 20}, 6);  // right as viewed is up as stored
    EXPECT_EQ(adapted->extent, (Extent{1, 3}));
    EXPECT_EQ(adapted->weights, (std::vector<double>{3, 2, 1}));
    EXPECT_EQ(viewed.of(0, {30, 40}, 6), adapted);
    EXPECT_EQ(viewed.of(1, {10, 20}, 6), even);
    EXPECT_EQ(PsfSet({row}, {}, PsfSet::Given::stored).of(0, {10, 20}, 6), row);
}

TEST(PsfSet, TurnsWhatItMadeForTheShorterSide)
{
    const auto row = std::make_shared<const Psf>(Psf{"row", {2, 1}, 1, {0, 0}, {1, 2}});
    const PsfSet set({row}, [](const Psf& psf, int shorter_side) {
        Psf result = psf;
        result.weights[0] = shorter_side;
        return result;
    });
    EXPECT_EQ(set.of(0, {10, 20}, 3)->weights, (std::vector<double>{2, 10}));
    EXPECT_EQ(set.of(0, {10, 20}, 8)->extent, (Extent{1, 2}));
    EXPECT_EQ(set.of(0, {20, 10}, 8)->weights, set.of(0, {10, 20}, 8)->weights);
}

TEST(PsfSet, LaysThreeColoursOutForTheChannelsOfLayers)
{
    using enum Colour;
    const auto rgb = std::make_shared<const Psf>(Psf{"rgb", {2, 1}, 3, {0, 0}, {1, 2, 3, 4, 5, 9}});
    const PsfSet set({rgb, point()});
    const std::vector<LayerChannel> channels{{green, 0}, {none}, {red, 0}, {blue, 0}};
    const auto laid = set.of(0, {9, 9}, kUpright, channels);
    EXPECT_EQ(laid->channels, 4);
    EXPECT_EQ(laid->weights, (std::vector<double>{3, 4, 3, 5, 1, 2, 5, 9}));
    EXPECT_EQ(set.of(0, {7, 7}, kUpright, channels), laid);
    EXPECT_EQ(set.of(0, {9, 9}), rgb);
    EXPECT_EQ(set.of(1, {9, 9}, kUpright, channels), set.all()[1]);
    EXPECT_EQ(set.of(0, {9, 9}, kUpright, {{blue, 0}, {green, 0}, {red, 0}})->weights,
              (std::vector<double>{5, 9, 3, 4, 1, 2}));
}

TEST(PsfSet, ForgetsWhatWasNotUsedForLong)
{
    const PsfSet set({point()}, [](const Psf& psf, int /*shorter_side*/) { return psf; });
    const std::weak_ptr<const Psf> first = set.of(0, {999, 1});
    const std::weak_ptr<const Psf> used = set.of(0, {999, 2});
    for (int height = 3; height < 200; ++height) {
        (void)set.of(0, {999, height});
        (void)set.of(0, {999, 2});
    }
    EXPECT_TRUE(first.expired());
    EXPECT_FALSE(used.expired());
}

}  // namespace
}  // namespace clconv
