// SPDX-License-Identifier: Apache-2.0
// What is written is read again, in the same type, for every format that clconv promises.
#include "codecs/test_files.h"
#include "encoders/write_image.h"

namespace clconv::testing {
namespace {

struct Trip {
    const char* extension;
    SampleType type;
    int channels;
    float tolerance;  ///< 0: the format keeps every bit
};

void PrintTo(const Trip& trip, std::ostream* out)
{
    *out << trip.extension << " " << name_of(trip.type) << " x" << trip.channels;
}

class RoundTrip : public ImageFile, public ::testing::WithParamInterface<Trip> {};

TEST_P(RoundTrip, KeepsTypeSizeChannelsAndSamples)
{
    const Trip trip = GetParam();
    const Image image = test_image({61, 47}, trip.channels, trip.type);
    const auto file = path(std::string("picture.") + trip.extension);
    write_image(file, image);
    const Image again = read_image(file);

    EXPECT_EQ(again.extent, image.extent);
    EXPECT_EQ(again.channels, image.channels);
    EXPECT_EQ(again.alpha_channel, image.alpha_channel);
    EXPECT_EQ(again.stored_type, file_type_of(trip.type));
    EXPECT_EQ(again.subimages, 1);
    EXPECT_LE(largest_difference(image, again), trip.tolerance);
}

using enum SampleType;

INSTANTIATE_TEST_SUITE_P(
    Formats, RoundTrip,
    ::testing::Values(Trip{"png", u8, 1, 0}, Trip{"png", u8, 3, 0}, Trip{"png", u16, 1, 0}, Trip{"png", u16, 3, 0},
                      Trip{"tif", u8, 3, 0}, Trip{"tif", u16, 3, 0}, Trip{"tif", half, 3, 0},
                      Trip{"tif", float32, 3, 0}, Trip{"tif", u8, 1, 0}, Trip{"tif", u8, 4, 0},
                      Trip{"tif", float32, 5, 0}, Trip{"exr", half, 3, 0}, Trip{"exr", float32, 3, 0},
                      Trip{"exr", half, 4, 0}, Trip{"exr", float32, 1, 0}, Trip{"exr", float32, 7, 0},
                      Trip{"bmp", u8, 3, 0}, Trip{"tga", u8, 3, 0}, Trip{"ppm", u8, 3, 0},
                      // Associated in the file of 8 bits, straight in the format: each colour is rounded twice.
                      Trip{"png", u8, 4, 1.001F / 255}, Trip{"png", u8, 2, 1.001F / 255},
                      Trip{"tga", u8, 4, 1.001F / 255}, Trip{"png", u16, 4, 1.001F / 65535},
                      // Lossy at quality 95, on a picture with noise.
                      Trip{"jpg", u8, 3, 0.15F}, Trip{"jpg", u8, 1, 0.06F},
                      // 8 bits of mantissa shared by the three channels.
                      Trip{"hdr", float32, 3, 1.0F / 256}));

TEST_F(ImageFile, EveryImageOfTheLibraryCanBeWrittenAndReadInEveryWritableExtension)
{
    for (const std::string& extension : writable_extensions()) {
        SCOPED_TRACE(extension);
        const Image image = test_image({32, 24}, 3, writable_type("a." + extension, SampleType::u8));
        const auto file = path("picture." + extension);
        EXPECT_NO_THROW({
            write_image(file, image);
            const Image again = read_image(file);
            EXPECT_EQ(again.extent, image.extent);
            EXPECT_EQ(again.stored_type, image.stored_type);
        });
    }
}

TEST_F(ImageFile, ConversionRoundsToNearestAndClamps)
{
    Image image;
    image.extent = {6, 1};
    image.channels = 1;
    image.samples = Bytes(6 * sizeof(float));
    const float given[] = {-1.0F, 0.4F / 255, 0.6F / 255, 254.6F / 255, 1.0F, 7.0F};
    std::copy(std::begin(given), std::end(given), image.samples.as<float>().begin());
    write_image(path("a.png"), image, {.type = FileType::u8, .quality = {}, .strip_metadata = false});
    const Image again = read_image(path("a.png"));
    ASSERT_EQ(again.type, SampleType::u8);
    EXPECT_THAT(again.samples.as<unsigned char>(), ::testing::ElementsAre(0, 0, 1, 255, 255, 255));
}

TEST_F(ImageFile, TheTypeRequestedIsTheNearestThatTheFormatHolds)
{
    EXPECT_EQ(writable_type("a.png", half), u16);
    EXPECT_EQ(writable_type("a.PNG", float32), u16);
    EXPECT_EQ(writable_type("a.jpg", u16), u8);
    EXPECT_EQ(writable_type("a.exr", u8), half);
    EXPECT_EQ(writable_type("a.exr", u16), float32);
    EXPECT_EQ(writable_type("a.hdr", u8), float32);
    EXPECT_EQ(writable_type("a.tif", half), half);
}

TEST_F(ImageFile, AFloatImageBecomesAU16Png)
{
    const Image image = test_image({9, 7}, 3, float32);
    write_image(path("a.png"), image);
    const Image again = read_image(path("a.png"));
    EXPECT_EQ(again.type, u16);
    EXPECT_LE(largest_difference(image, again), 0.51F / 65535);
}

TEST_F(ImageFile, HigherQualityMakesALargerAndBetterJpeg)
{
    const Image image = test_image({64, 64}, 3, u8);
    write_image(path("low.jpg"), image, {.type = {}, .quality = 30, .strip_metadata = false});
    write_image(path("high.jpg"), image, {.type = {}, .quality = 100, .strip_metadata = false});
    EXPECT_LT(std::filesystem::file_size(path("low.jpg")), std::filesystem::file_size(path("high.jpg")));
    EXPECT_GT(largest_difference(image, read_image(path("low.jpg"))),
              largest_difference(image, read_image(path("high.jpg"))));
}

TEST_F(ImageFile, JpegDropsAlphaOverBlack)
{
    const Image image = test_image({32, 32}, 4, u8);
    write_image(path("a.jpg"), image, {.type = {}, .quality = 100, .strip_metadata = false});
    const Image again = read_image(path("a.jpg"));
    EXPECT_EQ(again.channels, 3);
    const std::vector<float> before = values(image);
    const std::vector<float> after = values(again);
    EXPECT_NEAR(after[0], before[0], 0.05F);
    EXPECT_NEAR(after[3 * 500 + 1], before[4 * 500 + 1], 0.05F);
}

TEST_F(ImageFile, AGrayImageBecomesAGrayHdr)
{
    const Image image = test_image({16, 16}, 1, float32);
    write_image(path("a.hdr"), image);
    const Image again = read_image(path("a.hdr"));
    ASSERT_EQ(again.channels, 3);
    const std::vector<float> after = values(again);
    EXPECT_EQ(after[0], after[1]);
    EXPECT_EQ(after[0], after[2]);
}

TEST_F(ImageFile, APngOfFiveChannelsIsRefusedByName)
{
    const Image image = test_image({8, 8}, 5, u8);
    const std::string message = input_error([&] { write_image(path("five.png"), image); });
    EXPECT_THAT(message, ::testing::HasSubstr("five.png: a png file cannot hold 5 channels"));
    EXPECT_THAT(files(), ::testing::IsEmpty());
}

TEST_F(ImageFile, AnExtensionWithoutAFormatIsRefusedByName)
{
    const Image image = test_image({8, 8}, 3, u8);
    EXPECT_THAT(input_error([&] { write_image(path("a.docx"), image); }), ::testing::HasSubstr("'.docx'"));
    EXPECT_THAT(input_error([&] { write_image(path("a"), image); }), ::testing::HasSubstr("no extension"));
}

}  // namespace
}  // namespace clconv::testing
