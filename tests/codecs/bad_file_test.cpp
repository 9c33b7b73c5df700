// SPDX-License-Identifier: Apache-2.0
// Files that are missing, broken, or of a kind that cannot be convolved.
#include "encoders/write_image.h"
#include "test_files.h"

#include <OpenImageIO/deepdata.h>
#include <unistd.h>
#include <fstream>

namespace clconv::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TruncatedFile : public ImageFile, public ::testing::WithParamInterface<const char*> {};

TEST_P(TruncatedFile, IsAnInputErrorThatNamesIt)
{
    const std::string name = std::string("cut.") + GetParam();
    const SampleType type = writable_type(name, SampleType::u8);
    write_image(path(name), test_image({320, 256}, 3, type));
    for (const double fraction : {0.95, 0.5, 0.1, 0.0}) {
        truncate(path(name), fraction);
        EXPECT_THAT(input_error([&] { static_cast<void>(read_image(path(name))); }), HasSubstr(name + ": "))
            << fraction << " of what was left";
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, TruncatedFile,
                         ::testing::Values("jpg", "png", "tif", "exr", "hdr", "bmp", "ppm", "tga", "webp"));

TEST_F(ImageFile, ATruncatedJpegIsAnInputErrorThatSaysSo)
{
    write_image(path("photo.jpg"), test_image({64, 64}, 3, SampleType::u8));
    truncate(path("photo.jpg"), 0.9);
    EXPECT_THAT(input_error([&] { static_cast<void>(read_image(path("photo.jpg"))); }), HasSubstr("Premature end"));
}

TEST_F(ImageFile, AJpegWithStrayBytesBeforeAMarkerIsRead)
{
    write_image(path("a.jpg"), test_image({64, 64}, 3, SampleType::u8));
    std::ifstream file(path("a.jpg"), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    bytes.insert(2, "stray");
    std::ofstream(path("stray.jpg"), std::ios::binary) << bytes;
    EXPECT_EQ(largest_difference(read_image(path("a.jpg")), read_image(path("stray.jpg"))), 0);
}

TEST_F(ImageFile, AMissingFileIsNamedWithTheSystemsReason)
{
    EXPECT_THAT(input_error([&] { static_cast<void>(read_image(path("gone.png"))); }),
                AllOf(HasSubstr("gone.png: "), HasSubstr("No such file or directory")));
}

TEST_F(ImageFile, AFolderIsNoImage)
{
    EXPECT_THAT(input_error([&] { static_cast<void>(read_image(path("."))); }), HasSubstr("is a folder"));
}

TEST_F(ImageFile, AFileWithoutAnImageIsNamed)
{
    std::ofstream(path("notes.png")) << "buy milk\n";
    EXPECT_THAT(input_error([&] { static_cast<void>(read_image(path("notes.png"))); }),
                HasSubstr("notes.png: cannot be decoded: "));
}

TEST_F(ImageFile, AVideoIsRefusedWithAWayOut)
{
    std::ofstream(path("walk.mp4")) << std::string(
        "\0\0\0\x18"
        "ftypmp42",
        12);
    EXPECT_THAT(input_error([&] { static_cast<void>(read_image(path("walk.mp4"))); }),
                AllOf(HasSubstr("walk.mp4: is a video"), HasSubstr("make pictures of it")));
}

TEST_F(ImageFile, AVolumeUnderTheNameOfAPngIsRefused)
{
    std::ofstream(path("smoke.png")) << std::string(" BDV\0\0\0\0\xE0\0\0\0", 12) + std::string(500, '\1');
    EXPECT_THAT(input_error([&] { static_cast<void>(read_image(path("smoke.png"))); }),
                HasSubstr("smoke.png: cannot be decoded: "));
}

TEST_F(ImageFile, APngUnderTheNameOfAJpegIsRead)
{
    const Image image = test_image({8, 8}, 3, SampleType::u8);
    write_image(path("a.png"), image);
    std::filesystem::rename(path("a.png"), path("a.jpg"));
    EXPECT_EQ(largest_difference(image, read_image(path("a.jpg"))), 0);
}

TEST_F(ImageFile, DeepSamplesAreRefusedWithAWayOut)
{
    OIIO::ImageSpec header(4, 4, 2, OIIO::TypeDesc::FLOAT);
    header.channelnames = {"A", "Z"};
    header.deep = true;
    OIIO::DeepData samples(header);
    const auto output = OIIO::ImageOutput::create("deep.exr");
    ASSERT_TRUE(output->open(path("deep.exr").string(), header)) << output->geterror();
    ASSERT_TRUE(output->write_deep_image(samples)) << output->geterror();
    ASSERT_TRUE(output->close());
    EXPECT_THAT(input_error([&] { static_cast<void>(read_image(path("deep.exr"))); }), HasSubstr("flatten"));
}

TEST_F(ImageFile, SignedAndWideIntegersBecomeFloat)
{
    const std::pair<FileType, float> largest[] = {
        {FileType::i16, 1.0F}, {FileType::u32, 4294967295.0F}, {FileType::float64, 1.0F}};
    for (const auto& [type, value] : largest) {
        const OIIO::ImageSpec header(1, 2, 1, oiio::type_desc(type));
        write_with_library(path("a.tif"), header, {0, 255});
        const Image image = read_image(path("a.tif"));
        EXPECT_EQ(image.type, SampleType::float32);
        EXPECT_EQ(image.stored_type, type);
        EXPECT_THAT(values(image), ::testing::ElementsAre(0.0F, value));
    }
}

TEST_F(ImageFile, DoubleTiffsThatTheLibraryReadsAsZerosAreRefused)
{
    write_with_library(path("row.tif"), OIIO::ImageSpec(2, 1, 1, OIIO::TypeDesc::DOUBLE), {0, 255});
    OIIO::ImageSpec tiled(16, 16, 1, OIIO::TypeDesc::DOUBLE);
    tiled.tile_width = tiled.tile_height = 16;
    write_with_library(path("tiled.tif"), tiled, std::vector<unsigned char>(256, 100));
    for (const char* name : {"row.tif", "tiled.tif"})
        EXPECT_THAT(input_error([&] { static_cast<void>(read_image(path(name))); }), HasSubstr("store it as 32-bit"));
}

TEST_F(ImageFile, ExrChannelsOfSeveralTypesAreReadAsTheWidest)
{
    OIIO::ImageSpec header(2, 1, 2, OIIO::TypeDesc::FLOAT);
    header.channelnames = {"Y", "Z"};
    header.channelformats = {OIIO::TypeDesc::HALF, OIIO::TypeDesc::FLOAT};
    write_with_library(path("a.exr"), header, {0, 255, 255, 0});
    const Image image = read_image(path("a.exr"));
    EXPECT_EQ(image.type, SampleType::float32);
    EXPECT_THAT(values(image), ::testing::ElementsAre(0.0F, 1.0F, 1.0F, 0.0F));
    EXPECT_NO_THROW(write_image(path("b.exr"), image));
}

TEST_F(ImageFile, OnlyTheFirstSubimageIsReadAndAllAreCounted)
{
    const OIIO::ImageSpec header(2, 1, 1, OIIO::TypeDesc::UINT8);
    const auto output = OIIO::ImageOutput::create("a.tif");
    ASSERT_TRUE(output->open(path("a.tif").string(), header));
    for (const unsigned char value : std::vector<unsigned char>{10, 20, 30}) {
        const unsigned char samples[] = {value, value};
        ASSERT_TRUE(output->write_image(OIIO::TypeDesc::UINT8, samples));
        if (value < 30) {
            ASSERT_TRUE(output->open(path("a.tif").string(), header, OIIO::ImageOutput::AppendSubimage));
        }
    }
    ASSERT_TRUE(output->close());
    const Image image = read_image(path("a.tif"));
    EXPECT_EQ(image.subimages, 3);
    EXPECT_THAT(image.samples.as<unsigned char>(), ::testing::ElementsAre(10, 10));
    write_image(path("b.tif"), image);
    EXPECT_EQ(read_image(path("b.tif")).subimages, 1);
}

TEST_F(ImageFile, TiledFilesAreRead)
{
    const Image image = test_image({100, 70}, 3, SampleType::u8);
    OIIO::ImageSpec header(100, 70, 3, OIIO::TypeDesc::UINT8);
    header.tile_width = header.tile_height = 32;
    const auto samples = image.samples.as<unsigned char>();
    write_with_library(path("a.tif"), header, {samples.begin(), samples.end()});
    const Image tiled = read_image(path("a.tif"));
    EXPECT_EQ(largest_difference(image, tiled), 0);
    write_image(path("b.tif"), tiled);
    EXPECT_EQ(header_of(path("b.tif")).tile_width, 32);
    write_image(path("b.png"), tiled);
    EXPECT_EQ(largest_difference(image, read_image(path("b.png"))), 0);
}

}  // namespace
}  // namespace clconv::testing
