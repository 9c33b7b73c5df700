// SPDX-License-Identifier: Apache-2.0
#include "image/picture.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace clconv {
namespace {

using testing::ElementsAre;

/// Floats, channel by channel within each pixel.
Image image_of(const Extent& extent, int channels, const std::vector<float>& samples)
{
    Image image;
    image.extent = extent;
    image.channels = channels;
    image.samples = Bytes(samples.size() * sizeof(float));
    std::ranges::copy(samples, image.samples.as<float>().begin());
    return image;
}

ReducedImage whole(const Image& image, int longest) { return reduced(image, {{}, image.extent}, longest); }

/// A gray picture of these codes, one after the other.
ReducedImage grays(const Extent& extent, const std::vector<float>& values)
{
    ReducedImage image{extent, {}};
    for (const float value : values) image.samples.insert(image.samples.end(), {value, value, value, 1});
    return image;
}

std::vector<int> reds(const Picture& picture)
{
    std::vector<int> values;
    for (std::size_t i = 0; i < picture.rgb.size(); i += 3) values.push_back(picture.rgb[i]);
    return values;
}

TEST(Reduced, PixelsAreMeansOfTheirBoxes)
{
    const ReducedImage small = whole(image_of({4, 2}, 1, {1, 3, 10, 20, 5, 7, 30, 40}), 2);
    EXPECT_EQ(small.extent, (Extent{2, 1}));
    EXPECT_THAT(small.samples, ElementsAre(4, 4, 4, 1, 25, 25, 25, 1));
}

TEST(Reduced, NothingIsEnlargedAndAnAreaIsCutOut)
{
    const Image image = image_of({3, 2}, 1, {1, 2, 3, 4, 5, 6});
    EXPECT_EQ(whole(image, 100).extent, image.extent);
    EXPECT_THAT(reduced(image, {{1, 1}, {2, 1}}, 100).samples, ElementsAre(5, 5, 5, 1, 6, 6, 6, 1));
}

TEST(Reduced, SamplesThatAreNotFiniteDoNotCount)
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(whole(image_of({2, 1}, 1, {nan, 6}), 1).samples, ElementsAre(6, 6, 6, 1));
    EXPECT_THAT(whole(image_of({1, 1}, 1, {nan}), 1).samples, ElementsAre(0, 0, 0, 0));
}

TEST(Reduced, TakesTheFirstThreeColoursAndAlpha)
{
    Image image = image_of({1, 1}, 5, {0.5F, 0.1F, 0.2F, 0.3F, 9});
    image.alpha_channel = 0;
    EXPECT_THAT(whole(image, 1).samples, ElementsAre(0.1F, 0.2F, 0.3F, 0.5F));
}

TEST(ReducedDifference, KeepsTheLargestOfABoxAndOfTheChannels)
{
    const Image a = image_of({2, 1}, 2, {1, 1, 1, 1});
    const Image b = image_of({2, 1}, 2, {1, 1.5F, 1, -1});
    EXPECT_THAT(reduced_difference(a, b, 1).samples, ElementsAre(2, 2, 2, 1));
    EXPECT_THAT(reduced_difference(a, b, 2).samples, ElementsAre(0.5F, 0.5F, 0.5F, 1, 2, 2, 2, 1));
}

TEST(BusiestArea, IsWhereNeighboursDifferAndWithinTheImage)
{
    std::vector<float> values(64);
    values[5 * 8 + 6] = 1;
    const PictureArea area = busiest_area(grays({8, 8}, values), {80, 80}, 20);
    EXPECT_EQ(area.extent, (Extent{20, 20}));
    EXPECT_LE(area.place.x, 65);
    EXPECT_GT(area.place.x + 20, 65);
    EXPECT_LE(area.place.y, 55);
    EXPECT_GT(area.place.y + 20, 55);
    EXPECT_EQ(busiest_area(grays({8, 8}, values), {80, 10}, 20).extent, (Extent{20, 10}));
}

TEST(ToneOf, IsTheDefaultForOrdinaryImages)
{
    const Tone tone = tone_of(grays({2, 1}, {0, 0.9F}), false);
    EXPECT_EQ(tone.from, 0);
    EXPECT_EQ(tone.to, 1);
}

TEST(ToneOf, ShowsWhatIsTooBrightOrTooDark)
{
    EXPECT_EQ(tone_of(grays({2, 1}, {100, 900}), true).from, 100);
    EXPECT_EQ(tone_of(grays({2, 1}, {100, 900}), true).to, 900);
    EXPECT_FLOAT_EQ(static_cast<float>(tone_of(grays({2, 1}, {0, 0.01F}), false).to), 0.01F);
    EXPECT_EQ(tone_of(grays({1, 1}, {7}), true).to, 1) << "one value has no range";
}

TEST(Shown, CodesAreShownAsTheyAreAndLightAsCodes)
{
    EXPECT_THAT(reds(shown(grays({3, 1}, {0, 0.5F, 2}), {0, 1, false}, 1)), ElementsAre(0, 128, 255));
    EXPECT_THAT(reds(shown(grays({3, 1}, {0, 0.2158605F, 1}), {0, 1, true}, 1)), ElementsAre(0, 128, 255));
}

TEST(Shown, IsOrientedAsViewersDoIt)
{
    // 1 2 3
    // 4 5 6
    const ReducedImage image = grays({3, 2}, {1 / 255.F, 2 / 255.F, 3 / 255.F, 4 / 255.F, 5 / 255.F, 6 / 255.F});
    const auto oriented = [&](int orientation) { return reds(shown(image, {}, orientation)); };
    EXPECT_THAT(oriented(1), ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(oriented(2), ElementsAre(3, 2, 1, 6, 5, 4));
    EXPECT_THAT(oriented(3), ElementsAre(6, 5, 4, 3, 2, 1));
    EXPECT_THAT(oriented(4), ElementsAre(4, 5, 6, 1, 2, 3));
    EXPECT_THAT(oriented(5), ElementsAre(1, 4, 2, 5, 3, 6));
    EXPECT_THAT(oriented(6), ElementsAre(4, 1, 5, 2, 6, 3));
    EXPECT_THAT(oriented(7), ElementsAre(6, 3, 5, 2, 4, 1));
    EXPECT_THAT(oriented(8), ElementsAre(3, 6, 2, 5, 1, 4));
    EXPECT_EQ(shown(image, {}, 6).extent, (Extent{2, 3}));
}

TEST(Shown, TransparentPixelsShowTheGround)
{
    const ReducedImage clear{{1, 1}, {0, 0, 0, 0}};
    const ReducedImage half{{1, 1}, {0.5F, 0.5F, 0.5F, 0.5F}};
    EXPECT_THAT(reds(shown(clear, {}, 1)), ElementsAre(204));
    EXPECT_THAT(reds(shown(half, {}, 1)), ElementsAre(std::lround((255 + 204) / 2.0)));
}

}  // namespace
}  // namespace clconv
