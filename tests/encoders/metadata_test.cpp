// SPDX-License-Identifier: Apache-2.0
// What a file says beside its samples is kept, except what would be wrong of the new file.
#include "codecs/test_files.h"
#include "encoders/write_image.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

namespace clconv::testing {
namespace {

OIIO::ImageSpec photo_header(Extent extent)
{
    OIIO::ImageSpec header(extent.width, extent.height, 3, OIIO::TypeDesc::UINT8);
    header.attribute("Make", "Camera & Sons");
    header.attribute("Exif:FocalLength", 35.0F);
    header.attribute("Orientation", 6);
    header.attribute("PixelAspectRatio", 2.0F);
    header.attribute("IPTC:Caption", "a lamp");
    std::vector<unsigned char> profile(200, 7);
    header.attribute("ICCProfile", OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile.size())),
                     profile.data());
    return header;
}

std::vector<unsigned char> gray_samples(Extent extent) { return std::vector<unsigned char>(extent.pixels() * 3, 99); }

TEST_F(ImageFile, ExifIccAndOrientationOfAJpegAreKept)
{
    write_with_library(path("a.jpg"), photo_header({20, 10}), gray_samples({20, 10}));
    write_image(path("b.jpg"), read_image(path("a.jpg")));
    const OIIO::ImageSpec before = header_of(path("a.jpg"));
    const OIIO::ImageSpec after = header_of(path("b.jpg"));
    EXPECT_EQ(after.get_string_attribute("Make"), "Camera & Sons");
    EXPECT_EQ(after.get_float_attribute("Exif:FocalLength"), 35.0F);
    EXPECT_EQ(after.get_int_attribute("Orientation"), 6);
    EXPECT_EQ(after.get_string_attribute("IPTC:Caption"), before.get_string_attribute("IPTC:Caption"));
    ASSERT_NE(before.find_attribute("ICCProfile"), nullptr);
    EXPECT_NE(after.find_attribute("ICCProfile"), nullptr);
    EXPECT_EQ(after.width, 20) << "pixels are not rotated";
}

TEST_F(ImageFile, TextsOfATgaAreKeptUnlessTheFilesFooterPointsElsewhere)
{
    OIIO::ImageSpec header = photo_header({20, 10});
    header.attribute("Artist", "who took it");
    write_with_library(path("a.tga"), header, gray_samples({20, 10}));
    std::ifstream file(path("a.tga"), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    bytes.insert(30, "shifted");  // as a damaged transfer does: samples are where the texts should be
    std::ofstream(path("moved.tga"), std::ios::binary) << bytes;
    const auto artist_of_copy = [&](const std::string& name) {
        write_image(path("copy.png"), read_image(path(name)));
        return header_of(path("copy.png")).get_string_attribute("Artist");
    };
    EXPECT_EQ(artist_of_copy("a.tga"), "who took it");
    EXPECT_EQ(artist_of_copy("moved.tga"), "");
}

TEST_F(ImageFile, StrippingLeavesOnlyTheOrientation)
{
    write_with_library(path("a.jpg"), photo_header({20, 10}), gray_samples({20, 10}));
    write_image(path("b.jpg"), read_image(path("a.jpg")), {.type = {}, .quality = {}, .strip_metadata = true});
    const OIIO::ImageSpec after = header_of(path("b.jpg"));
    EXPECT_EQ(after.get_string_attribute("Make"), "");
    EXPECT_EQ(after.find_attribute("ICCProfile"), nullptr);
    EXPECT_EQ(after.get_int_attribute("Orientation"), 6);
}

TEST_F(ImageFile, WindowsChannelNamesAndAttributesOfAnExrAreKept)
{
    OIIO::ImageSpec header(20, 10, 3, OIIO::TypeDesc::HALF);
    header.x = -5;
    header.y = 3;
    header.full_width = 100;
    header.full_height = 50;
    header.channelnames = {"beauty.R", "beauty.G", "beauty.B"};
    header.attribute("compression", "piz");
    header.attribute("PixelAspectRatio", 2.0F);
    header.attribute("shot", "042");
    write_with_library(path("a.exr"), header, gray_samples({20, 10}));
    write_image(path("b.exr"), read_image(path("a.exr")));
    const OIIO::ImageSpec after = header_of(path("b.exr"));
    EXPECT_EQ(after.x, -5);
    EXPECT_EQ(after.y, 3);
    EXPECT_EQ(after.full_width, 100);
    EXPECT_EQ(after.channelnames, header.channelnames);
    EXPECT_EQ(after.get_string_attribute("compression"), "piz");
    EXPECT_EQ(after.get_float_attribute("PixelAspectRatio"), 2.0F);
    EXPECT_EQ(after.get_string_attribute("shot"), "042");
}

TEST_F(ImageFile, AnImageOfAnotherSizeLiesBesideTheOldOne)
{
    OIIO::ImageSpec header(20, 10, 3, OIIO::TypeDesc::HALF);
    header.x = -5;
    header.full_width = 100;
    header.full_height = 50;
    write_with_library(path("a.exr"), header, gray_samples({20, 10}));
    Image larger = test_image({26, 14}, 3, SampleType::half);
    larger.metadata = read_image(path("a.exr")).metadata;
    larger.place = {-4, -2};
    write_image(path("b.exr"), larger);
    const OIIO::ImageSpec after = header_of(path("b.exr"));
    EXPECT_EQ(after.roi(), OIIO::ROI(-9, 17, -2, 12, 0, 1, 0, 3));
    EXPECT_EQ(after.roi_full(), OIIO::ROI(0, 100, 0, 50, 0, 1, 0, 3));
    write_image(path("b.tif"), larger);
    EXPECT_EQ(header_of(path("b.tif")).roi(), OIIO::ROI(0, 26, 0, 14, 0, 1, 0, 3)) << "TIFF has no place at -9";
}

TEST_F(ImageFile, TiffKeepsItsCompressionAndAnotherFormatDoesNotInheritIt)
{
    OIIO::ImageSpec header = photo_header({20, 10});
    header.attribute("compression", "lzw");
    write_with_library(path("a.tif"), header, gray_samples({20, 10}));
    const Image image = read_image(path("a.tif"));
    write_image(path("b.tif"), image);
    write_image(path("b.exr"), image);
    EXPECT_EQ(header_of(path("b.tif")).get_string_attribute("compression"), "lzw");
    EXPECT_EQ(header_of(path("b.exr")).get_string_attribute("compression"), "zip");
    EXPECT_EQ(header_of(path("b.exr")).get_string_attribute("Make"), "Camera & Sons");
}

TEST_F(ImageFile, ABilevelTiffBecomesAGrayOne)
{
    OIIO::ImageSpec header(32, 8, 1, OIIO::TypeDesc::UINT8);
    header.attribute("oiio:BitsPerSample", 1);
    header.attribute("compression", "ccittfax4");
    std::vector<unsigned char> samples(32 * 8, 255);
    samples[5] = 0;
    write_with_library(path("a.tif"), header, samples);
    Image image = read_image(path("a.tif"));
    ASSERT_EQ(image.type, SampleType::u8);
    EXPECT_THAT(image.samples.as<unsigned char>(), ::testing::ElementsAreArray(samples));
    image.samples.as<unsigned char>()[5] = 77;
    write_image(path("b.tif"), image);
    EXPECT_EQ(largest_difference(image, read_image(path("b.tif"))), 0);
}

TEST_F(ImageFile, TenAndTwelveBitFilesKeepTheirDepthAndTheirValues)
{
    const struct {
        const char* name;
        int bits;
    } cases[] = {{"a.dpx", 10}, {"a.dpx", 12}, {"a.tif", 10}, {"a.tif", 12}};
    for (const auto& [name, bits] : cases) {
        SCOPED_TRACE(std::string(name) + " " + std::to_string(bits));
        OIIO::ImageSpec header(16, 16, 3, OIIO::TypeDesc::UINT16);
        header.attribute("oiio:BitsPerSample", bits);
        std::vector<unsigned char> samples;
        for (int i = 0; i < 16 * 16 * 3; ++i) samples.push_back(static_cast<unsigned char>(i * 7));
        write_with_library(path(name), header, samples);
        const Image image = read_image(path(name));
        ASSERT_EQ(image.type, SampleType::u16);
        EXPECT_NEAR(values(image)[1], 7.0F / 255, 0.51F / 1023);
        write_image(path(std::string("copy-") + name), image);
        EXPECT_EQ(header_of(path(std::string("copy-") + name)).get_int_attribute("oiio:BitsPerSample"), bits);
        EXPECT_EQ(largest_difference(image, read_image(path(std::string("copy-") + name))), 0);

        write_image(path("copy.png"), image);
        EXPECT_EQ(largest_difference(image, read_image(path("copy.png"))), 0);
    }
}

TEST_F(ImageFile, AFormatsOldDepthDoesNotLeakIntoAnotherType)
{
    OIIO::ImageSpec header(16, 1, 3, OIIO::TypeDesc::UINT16);
    header.attribute("oiio:BitsPerSample", 10);
    write_with_library(path("a.tif"), header, std::vector<unsigned char>(48, 200));
    write_image(path("b.tif"), read_image(path("a.tif")),
                {.type = FileType::u8, .quality = {}, .strip_metadata = false});
    const Image again = read_image(path("b.tif"));
    ASSERT_EQ(again.type, SampleType::u8);
    EXPECT_EQ(again.samples.as<unsigned char>()[0], 200);
}

TEST_F(ImageFile, AJpegCompressedTiffOfAnotherTypeIsStillWritten)
{
    OIIO::ImageSpec header(32, 32, 3, OIIO::TypeDesc::UINT8);
    header.attribute("compression", "jpeg");
    write_with_library(path("a.tif"), header, std::vector<unsigned char>(32 * 32 * 3, 100));
    if (OIIO::openimageio_version() >= 20500 && header_of(path("a.tif")).get_string_attribute("compression") != "jpeg")
        GTEST_SKIP() << "OpenImageIO 2.5 writes no JPEG in TIFF";
    const Image image = read_image(path("a.tif"));
    write_image(path("same.tif"), image);
    EXPECT_EQ(header_of(path("same.tif")).get_string_attribute("compression"), "jpeg");
    write_image(path("wide.tif"), image, {.type = FileType::u16, .quality = {}, .strip_metadata = false});
    EXPECT_EQ(read_image(path("wide.tif")).type, SampleType::u16);
    EXPECT_LE(largest_difference(image, read_image(path("wide.tif"))), 1e-6F);
}

std::string bytes_of_file(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The writers that note a date of their own accord do so to the second, or (RLA) to the minute: there the date that is
/// not read speaks. Others noted the name of the temporary file (DPX), or what lay in memory (SGI).
TEST_F(ImageFile, TheSameImageGivesTheSameBytesASecondLater)
{
    const auto write_all = [&] {
        std::map<std::string, std::string> bytes;
        for (const std::string& extension : writable_extensions()) {
            const Image image = test_image({32, 24}, 3, writable_type("a." + extension, SampleType::u8));
            write_image(path("a." + extension), image);
            bytes[extension] = bytes_of_file(path("a." + extension));
        }
        return bytes;
    };
    std::map<std::string, std::string> before = write_all();
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    std::map<std::string, std::string> after = write_all();
    for (const std::string& extension : writable_extensions()) {
        SCOPED_TRACE(extension);
        EXPECT_TRUE(before[extension] == after[extension]);
        EXPECT_EQ(header_of(path("a." + extension)).find_attribute("DateTime"), nullptr);
    }
}

TEST_F(ImageFile, TheDateOfTheInputIsKeptUnlessMetadataAreStripped)
{
    const std::string date = "2001:02:03 04:05:06";
    for (const char* extension : {"exr", "tif", "png", "jpg"}) {
        SCOPED_TRACE(extension);
        OIIO::ImageSpec header(20, 10, 3, OIIO::TypeDesc::UINT8);
        header.attribute("DateTime", date);
        write_with_library(path("a.tif"), header, gray_samples({20, 10}));
        const Image image = read_image(path("a.tif"));
        const auto kept = path(std::string("kept.") + extension);
        const auto stripped = path(std::string("stripped.") + extension);
        write_image(kept, image);
        write_image(stripped, image, {.type = {}, .quality = {}, .strip_metadata = true});
        EXPECT_EQ(header_of(kept).get_string_attribute("DateTime"), date);
        EXPECT_EQ(header_of(stripped).find_attribute("DateTime"), nullptr);
    }
}

}  // namespace
}  // namespace clconv::testing
