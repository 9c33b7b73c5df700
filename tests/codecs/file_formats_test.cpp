// SPDX-License-Identifier: Apache-2.0
#include "codecs/file_formats.h"

#include "codecs/codec_library.h"
#include "encoders/encoder.h"
#include "test_files.h"

namespace clconv::testing {
namespace {

/// Whether src/codecs has the writer. It takes no path.
bool has_own_writer(const FileFormat& format) { return format.name == "fits" || format.name == "pnm"; }

std::unique_ptr<oiio::ImageOutput> writer_of(const FileFormat& format, OIIO::Filesystem::IOProxy& memory)
{
    auto output = oiio::create_output(format.name, {});
    if (has_own_writer(format)) output->set_stream(&memory);
    return output;
}

const std::byte* bytes_of(const std::vector<double>& samples)
{
    return reinterpret_cast<const std::byte*>(samples.data());
}

TEST(FileFormats, HoldWhatTheTableSaysOfThem)
{
    for (const FileFormat& format : writable_file_formats())
        for (const SampleType type : format.types)
            for (const int channels : {1, 2, 3, 4}) {
                if (!format.holds_channels(channels)) continue;
                OIIO::Filesystem::IOVecOutput memory;
                const auto output = writer_of(format, memory);
                ASSERT_TRUE(output) << format.name << ": " << oiio::codec_library().take_error();
                const auto file =
                    std::filesystem::temp_directory_path() / ("clconv-format-test." + std::string(format.name));
                const oiio::FileHeader header(16, 16, channels, oiio::type_desc(type));
                EXPECT_TRUE(output->open(file.string(), {header}))
                    << format.name << " " << name_of(type) << " x" << channels << ": " << output->take_error();
                EXPECT_EQ(output->header().format, oiio::type_desc(type)) << format.name << " " << name_of(type);
                EXPECT_EQ(output->header().nchannels, channels) << format.name;
                const std::vector<double> samples(16 * 16 * 4, 0);
                EXPECT_TRUE(output->write_image(oiio::type_desc(type), bytes_of(samples))) << format.name;
                EXPECT_TRUE(output->close()) << format.name;
                std::filesystem::remove(file);
            }
}

TEST(FileFormats, HoldTheTypesThatNotEveryPrecisionTakes)
{
    for (const FileFormat& format : writable_file_formats())
        for (const FileType type : format.others) {
            OIIO::Filesystem::IOVecOutput memory;
            const auto output = writer_of(format, memory);
            const auto file =
                std::filesystem::temp_directory_path() / ("clconv-integers-test." + std::string(format.name));
            const oiio::FileHeader header(16, 16, 3, oiio::type_desc(type));
            ASSERT_TRUE(output->open(file.string(), {header}));
            ASSERT_TRUE(output->write_image(header.format, bytes_of(std::vector<double>(16 * 16 * 4, 0))));
            EXPECT_EQ(output->header().format, oiio::type_desc(type)) << format.name << " " << name_of(type);
            EXPECT_TRUE(output->close()) << format.name;
            std::filesystem::remove(file);
        }
}

/// What the library reads of a small picture that was written with `header`'s attributes.
OIIO::ImageSpec read_back(const FileFormat& format, const oiio::FileHeader& header)
{
    OIIO::Filesystem::IOVecOutput memory;
    const auto output = writer_of(format, memory);
    const auto file = std::filesystem::temp_directory_path() / ("clconv-quirks-test." + std::string(format.name));
    EXPECT_TRUE(output->open(file.string(), {header})) << format.name << ": " << output->take_error();
    const std::vector<double> samples(16 * 16 * 4, 0);
    EXPECT_TRUE(output->write_image(header.format, bytes_of(samples))) << format.name;
    EXPECT_TRUE(output->close()) << format.name;
    const auto input = OIIO::ImageInput::open(file.string());
    EXPECT_TRUE(input) << format.name << ": " << OIIO::geterror();
    const OIIO::ImageSpec spec = input ? input->spec() : OIIO::ImageSpec();
    std::filesystem::remove(file);
    return spec;
}

oiio::FileHeader picture_of(const FileFormat& format)
{
    return {16, 16, format.holds_channels(3) ? 3 : 1, oiio::type_desc(format.types.front())};
}

TEST(FileFormats, InventADateWhereTheTableSaysSo)
{
    for (const FileFormat& format : writable_file_formats()) {
        if (has_own_writer(format)) continue;  // without dates
        EXPECT_EQ(read_back(format, picture_of(format)).find_attribute("DateTime") != nullptr, format.invents_date)
            << format.name;
    }
}

TEST(FileFormats, HoldProfilesWhereTheTableSaysSo)
{
    for (const FileFormat& format : writable_file_formats()) {
        // libpng wants a whole profile, as tests/cli/test_linear_files.py has.
        if (has_own_writer(format) || format.name == "png") continue;
        oiio::FileHeader header = picture_of(format);
        const std::vector<unsigned char> profile(200, 7);
        header.attribute("ICCProfile", OIIO::TypeDesc(OIIO::TypeDesc::UINT8, 200), profile.data());
        const OIIO::ParamValue* const kept = read_back(format, header).find_attribute("ICCProfile");
        // tests/cli/test_metadata_blocks.py looks at WebP, which gets them behind the library's back.
        EXPECT_EQ(kept != nullptr, format.holds_profiles && format.name != "webp") << format.name;
    }
}

TEST(FileFormats, HoldSeveralTypesWhereTheTableSaysSo)
{
    for (const FileFormat& format : writable_file_formats()) {
        if (!format.holds_types_by_channel) continue;
        EXPECT_TRUE(OIIO::ImageOutput::create(std::string(format.name))->supports("channelformats")) << format.name;
    }
}

TEST(FileFormats, ThatHaveNoRowHaveTheDefaultOne)
{
    const FileFormat& other = format_named("psd");
    EXPECT_TRUE(other.name.empty() && other.types.empty());
    EXPECT_FALSE(other.by_rows || other.seeks || other.is_light || other.is_bottom_up || other.has_ids);
    EXPECT_TRUE(other.leaves_gaps) << "a decoder that nobody knows is not trusted";
}

TEST(FileFormats, AreFoundByExtensionOfAnyCase)
{
    EXPECT_EQ(file_format_of("a/b.JPEG").name, "jpeg");
    EXPECT_EQ(file_format_of("a.b.tif").name, "tiff");
    EXPECT_EQ(file_format_of("x.exr").name, "openexr");
}

TEST(FileFormats, OfferTheExtensionsThatUsersExpect)
{
    for (const char* extension :
         {"png", "jpg", "jpeg", "tif", "tiff", "exr", "hdr", "bmp", "tga", "webp", "fits", "fit", "fts"}) {
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
