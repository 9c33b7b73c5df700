// SPDX-License-Identifier: Apache-2.0
// --compression: what each format supports, and that the file is packed so.
#include "encoders/compression.h"
#include "codecs/file_formats.h"
#include "codecs/test_files.h"
#include "encoders/write_image.h"
#include "image/write_options.h"

namespace clconv::testing {
namespace {

std::string refusal(const std::filesystem::path& path, const std::string& text)
{
    try {
        check_compression(path, parse_compression(text));
    } catch (const InvalidProblem& error) {
        return error.what();
    }
    return {};
}

TEST(Compression, IsANameAndPerhapsALevel)
{
    EXPECT_EQ(parse_compression("piz").name, "piz");
    EXPECT_FALSE(parse_compression("piz").level);
    EXPECT_EQ(parse_compression("zip:6").name, "zip");
    EXPECT_EQ(parse_compression("zip:6").level, 6);
    for (const char* text : {"zip:", "zip:fast", "zip:6.5", "zip:6 ", "zip:99999999999"})
        EXPECT_THROW(static_cast<void>(parse_compression(text)), InvalidProblem) << text;
}

TEST(Compression, RefusalsNameWhatTheFormatCan)
{
    EXPECT_EQ(refusal("a.tif", "zip:9"), "");
    EXPECT_EQ(refusal("a.exr", "dwaa:45"), "");
    EXPECT_EQ(refusal("a.png", "zip:0"), "");
    EXPECT_THAT(refusal("a.tif", "piz"), ::testing::HasSubstr("none, packbits, lzw, zip[:1-9]"));
    EXPECT_THAT(refusal("a.tif", "zip:0"), ::testing::HasSubstr("zip[:1-9]"));
    EXPECT_THAT(refusal("a.exr", "piz:3"), ::testing::HasSubstr("piz"));
    EXPECT_THAT(refusal("a.jpg", "zip"), ::testing::HasSubstr("--quality"));
    EXPECT_THAT(refusal("a.hdr", "rle"), ::testing::HasSubstr("no choice"));
}

TEST_F(ImageFile, EveryCodecOfEveryFormatIsWrittenAndReadAgain)
{
    for (const FileFormat& format : writable_file_formats())
        for (const Codec& codec : format.codecs)
            for (const int level : {codec.min_level, codec.max_level}) {
                SCOPED_TRACE(std::string(format.name) + " " + std::string(codec.name) + " " + std::to_string(level));
                const Image image = test_image({48, 40}, 3, format.types.front());
                const auto file = path("a." + std::string(format.name == "openexr" ? "exr"
                                                          : format.name == "targa" ? "tga"
                                                                                   : format.name));
                WriteOptions options;
                options.compression = Compression{std::string(codec.name), {}};
                if (codec.has_levels()) options.compression->level = level;
                write_image(file, image, options);
                const bool lossy = codec.name.starts_with("b44") || codec.name.starts_with("dwa");
                EXPECT_LE(largest_difference(image, read_image(file)), lossy ? 0.2F : 0.0F);
                if (format.name == "openexr" || format.name == "tiff") {
                    EXPECT_EQ(header_of(file).get_string_attribute("compression"), std::string(codec.name));
                }
            }
}

TEST_F(ImageFile, ACompressionThatIsRequestedReplacesTheInputs)
{
    OIIO::ImageSpec header(64, 64, 3, OIIO::TypeDesc::UINT8);
    header.attribute("compression", "none");
    write_with_library(path("a.tif"), header, std::vector<unsigned char>(64 * 64 * 3, 100));
    WriteOptions options;
    options.compression = Compression{"zip", 9};
    write_image(path("b.tif"), read_image(path("a.tif")), options);
    EXPECT_EQ(header_of(path("b.tif")).get_string_attribute("compression"), "zip");
    EXPECT_LT(std::filesystem::file_size(path("b.tif")), std::filesystem::file_size(path("a.tif")) / 5);
}

TEST_F(ImageFile, TheLevelOfALossyExrIsKept)
{
    WriteOptions options;
    options.compression = Compression{"dwaa", 200};
    write_image(path("a.exr"), test_image({64, 64}, 3, SampleType::half), options);
    write_image(path("b.exr"), read_image(path("a.exr")));
    EXPECT_EQ(header_of(path("b.exr")).get_string_attribute("compression"), "dwaa");
    EXPECT_EQ(header_of(path("b.exr")).get_float_attribute("openexr:dwaCompressionLevel"), 200.0F);
}

}  // namespace
}  // namespace clconv::testing
