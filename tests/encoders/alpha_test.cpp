// SPDX-License-Identifier: Apache-2.0
// Straight alpha is associated in float on the way in and divided out again on the way out.
#include "codecs/test_files.h"
#include "encoders/write_image.h"

namespace clconv::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

OIIO::ImageSpec straight_header(Extent extent, int channels)
{
    OIIO::ImageSpec header(extent.width, extent.height, channels, OIIO::TypeDesc::UINT8);
    header.attribute("oiio:UnassociatedAlpha", 1);
    return header;
}

class StraightFile : public ImageFile, public ::testing::WithParamInterface<const char*> {};

TEST_P(StraightFile, IsAssociatedInFloat)
{
    const auto file = path(std::string("a.") + GetParam());
    write_with_library(file, straight_header({2, 1}, 4), {200, 100, 3, 51, 10, 20, 30, 255});
    const Image image = read_image(file);
    EXPECT_TRUE(image.straight_alpha);
    EXPECT_EQ(image.type, SampleType::float32);
    EXPECT_EQ(image.stored_type, FileType::u8);
    EXPECT_EQ(image.alpha_channel, 3);
    // 51 / 255 = 0.2
    EXPECT_THAT(values(image),
                ElementsAre(FloatEq(40.0F / 255), FloatEq(20.0F / 255), FloatEq(0.6F / 255), FloatEq(0.2F),
                            FloatEq(10.0F / 255), FloatEq(20.0F / 255), FloatEq(30.0F / 255), FloatEq(1.0F)));
}

TEST_P(StraightFile, ComesOutWithEveryVisibleColourAsItWas)
{
    const auto file = path(std::string("a.") + GetParam());
    std::vector<unsigned char> samples;
    for (int i = 0; i < 256; ++i)
        for (const int sample : {i, 255 - i, i / 2, 1 + i * 254 / 255})
            samples.push_back(static_cast<unsigned char>(sample));
    write_with_library(file, straight_header({16, 16}, 4), samples);
    const auto copy = path(std::string("b.") + GetParam());
    write_image(copy, read_image(file));
    EXPECT_EQ(values(oiio::decode(copy)), values(oiio::decode(file)));
    EXPECT_TRUE(read_image(copy).straight_alpha);
}

INSTANTIATE_TEST_SUITE_P(Formats, StraightFile, ::testing::Values("png", "tif", "tga", "bmp"));

TEST_F(ImageFile, AnAssociatedTiffStaysAssociatedInItsOwnType)
{
    write_with_library(path("a.tif"), OIIO::ImageSpec(1, 1, 4, OIIO::TypeDesc::UINT8), {100, 50, 25, 128});
    const Image image = read_image(path("a.tif"));
    EXPECT_FALSE(image.straight_alpha);
    EXPECT_EQ(image.type, SampleType::u8);
    write_image(path("b.tif"), image);
    EXPECT_THAT(read_image(path("b.tif")).samples.as<unsigned char>(), ElementsAre(100, 50, 25, 128));
}

TEST_F(ImageFile, AStraightPngBecomesAnAssociatedExr)
{
    write_with_library(path("a.png"), straight_header({1, 1}, 4), {200, 100, 0, 51});
    write_image(path("a.exr"), read_image(path("a.png")),
                {.type = FileType::float32, .quality = {}, .strip_metadata = false});
    const Image image = read_image(path("a.exr"));
    EXPECT_FALSE(image.straight_alpha);
    EXPECT_THAT(values(image), ElementsAre(FloatEq(40.0F / 255), FloatEq(20.0F / 255), 0.0F, FloatEq(0.2F)));
}

TEST_F(ImageFile, AnAssociatedExrBecomesAStraightPng)
{
    Image image;
    image.extent = {2, 1};
    image.channels = 4;
    image.alpha_channel = 3;
    image.samples = Bytes(8 * sizeof(float));
    const float given[] = {0.2F, 0.1F, 0.0F, 0.4F, 0.3F, 0.0F, 0.0F, 0.0F};
    std::copy(std::begin(given), std::end(given), image.samples.as<float>().begin());
    write_image(path("a.exr"), image);
    write_image(path("a.png"), read_image(path("a.exr")),
                {.type = FileType::u8, .quality = {}, .strip_metadata = false});
    // 0.2 / 0.4 = 0.5 and 0.1 / 0.4 = 0.25; light without cover (alpha 0) is kept as it is.
    EXPECT_THAT(values(oiio::decode(path("a.png"))),
                ElementsAre(FloatEq(128.0F / 255), FloatEq(64.0F / 255), 0.0F, FloatEq(102.0F / 255),
                            FloatEq(77.0F / 255), 0.0F, 0.0F, 0.0F));
}

TEST_F(ImageFile, GrayWithAlphaStaysGrayWithAlpha)
{
    write_with_library(path("a.png"), straight_header({1, 1}, 2), {200, 51});
    const Image image = read_image(path("a.png"));
    EXPECT_EQ(image.alpha_channel, 1);
    write_image(path("b.png"), image);
    EXPECT_THAT(values(oiio::decode(path("b.png"))), ElementsAre(FloatEq(200.0F / 255), FloatEq(0.2F)));
}

}  // namespace
}  // namespace clconv::testing
