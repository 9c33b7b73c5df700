#include "image/file_formats.h"

#include "test_files.h"

namespace clconv::testing {
namespace {

TEST(FileFormats, HoldWhatTheTableSaysOfThem)
{
    oiio::initialise();
    for (const FileFormat& format : writable_file_formats())
        for (const SampleType type : format.types)
            for (const int channels : {1, 2, 3, 4}) {
                if (!format.holds_channels(channels)) continue;
                const auto output = OIIO::ImageOutput::create(std::string(format.name));
                ASSERT_TRUE(output) << format.name << ": " << OIIO::geterror();
                const auto file =
                    std::filesystem::temp_directory_path() / ("clconv-format-test." + std::string(format.name));
                const OIIO::ImageSpec header(16, 16, channels, oiio::type_desc(type));
                EXPECT_TRUE(output->open(file.string(), header))
                    << format.name << " " << name_of(type) << " x" << channels << ": " << output->geterror();
                EXPECT_EQ(output->spec().format, oiio::type_desc(type)) << format.name << " " << name_of(type);
                EXPECT_EQ(output->spec().nchannels, channels) << format.name;
                const std::vector<float> samples(16 * 16 * 4, 0.5F);
                EXPECT_TRUE(output->write_image(OIIO::TypeDesc::FLOAT, samples.data())) << format.name;
                output->close();
                std::filesystem::remove(file);
            }
}

TEST(FileFormats, HoldTheIntegersThatDevicesDoNotTake)
{
    oiio::initialise();
    for (const FileFormat& format : writable_file_formats())
        for (const FileType type : format.integers) {
            const auto output = OIIO::ImageOutput::create(std::string(format.name));
            const auto file =
                std::filesystem::temp_directory_path() / ("clconv-integers-test." + std::string(format.name));
            ASSERT_TRUE(output->open(file.string(), OIIO::ImageSpec(16, 16, 3, oiio::type_desc(type))));
            EXPECT_EQ(output->spec().format, oiio::type_desc(type)) << format.name << " " << name_of(type);
            output->close();
            std::filesystem::remove(file);
        }
}

TEST(FileFormats, AreFoundByExtensionOfAnyCase)
{
    EXPECT_EQ(file_format_of("a/b.JPEG").name, "jpeg");
    EXPECT_EQ(file_format_of("a.b.tif").name, "tiff");
    EXPECT_EQ(file_format_of("x.exr").name, "openexr");
}

TEST(FileFormats, OfferTheExtensionsThatUsersExpect)
{
    for (const char* extension : {"png", "jpg", "jpeg", "tif", "tiff", "exr", "hdr", "bmp", "tga", "webp"}) {
        EXPECT_TRUE(readable_extensions().contains(extension)) << extension;
        EXPECT_TRUE(writable_extensions().contains(extension)) << extension;
    }
    for (const char* extension : {"txt", "null", "term", "mp4", "vdb", ""}) {
        EXPECT_FALSE(readable_extensions().contains(extension)) << extension;
        EXPECT_FALSE(writable_extensions().contains(extension)) << extension;
    }
    EXPECT_TRUE(readable_extensions().contains("psd"));
    EXPECT_FALSE(writable_extensions().contains("psd"));
}

TEST(FileFormats, LibraryVersionIsWrittenAsPeopleWriteIt)
{
    EXPECT_THAT(image_library(), ::testing::MatchesRegex("OpenImageIO [0-9]+\\.[0-9]+\\.[0-9]+"));
}

}  // namespace
}  // namespace clconv::testing
