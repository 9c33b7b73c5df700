// SPDX-License-Identifier: Apache-2.0
// Files of several parts: pages that are joined to a TIFF, and texts that count them.
#include "codecs/file_parts.h"
#include "codecs/parts_reader.h"
#include "codecs/test_files.h"
#include "encoders/parts_writer.h"
#include "formats/stack_description.h"
#include "formats/tiff_directories.h"

#include <fstream>

namespace clconv::testing {
namespace {

using oiio::description_after;
using oiio::StackChange;

class FileParts : public ImageFile {
protected:
    /// A TIFF of one page with an Exif directory, whose samples are all `value`.
    [[nodiscard]] std::filesystem::path page(unsigned char value, bool is_big = false) const
    {
        const std::filesystem::path file = path("page" + std::to_string(value) + ".tif");
        OIIO::ImageSpec header(5, 4, 1, OIIO::TypeDesc::UINT8);
        header.attribute("Exif:Flash", value);
        header.attribute("tiff:RowsPerStrip", 2);
        if (is_big) header.attribute("tiff:bigtiff", 1);
        const auto output = OIIO::ImageOutput::create(file.string());
        const std::vector<unsigned char> samples(20, value);
        EXPECT_TRUE(output->open(file.string(), header));
        EXPECT_TRUE(output->write_image(OIIO::TypeDesc::UINT8, samples.data()));
        EXPECT_TRUE(output->close());
        return file;
    }

    /// Whether the library finds the pages of these values, each with its Exif.
    static void expect_pages(const std::filesystem::path& file, const std::vector<unsigned char>& values)
    {
        const auto input = OIIO::ImageInput::open(file.string());
        ASSERT_TRUE(input);
        for (std::size_t i = 0; i < values.size(); ++i) {
            ASSERT_TRUE(input->seek_subimage(static_cast<int>(i), 0)) << "page " << i;
            std::vector<unsigned char> samples(20);
            ASSERT_TRUE(input->read_image(static_cast<int>(i), 0, 0, 1, OIIO::TypeDesc::UINT8, samples.data()));
            EXPECT_THAT(samples, ::testing::Each(values[i]));
            EXPECT_EQ(input->spec().get_int_attribute("Exif:Flash"), values[i]);
        }
        EXPECT_FALSE(input->seek_subimage(static_cast<int>(values.size()), 0));
    }
};

TEST_F(FileParts, OfATiffKeepTheirOwnExif)
{
    std::vector<Image> images;
    std::vector<PartToWrite> parts;
    for (const unsigned char value : std::vector<unsigned char>{3, 1, 2}) {
        images.push_back(read_image(page(value)));
        parts.push_back({without_samples(images.back()), {}, false});
    }
    PartsWriter writer(path("all.tif"), std::move(parts), {path("page3.tif"), 3, {0, 1, 2}});
    for (const Image& image : images) writer.write(image);
    EXPECT_FALSE(std::filesystem::exists(path("all.tif")));
    writer.finish();
    expect_pages(path("all.tif"), {3, 1, 2});

    const PartsReader reader(path("all.tif"), {0, 2});
    EXPECT_EQ(reader.parts_in_file(), 3);
    EXPECT_THAT(reader.read(1).samples.as<unsigned char>(), ::testing::Each(2));
    EXPECT_THAT(reader.read(0).samples.as<unsigned char>(), ::testing::Each(3));
}

TEST_F(FileParts, OfABigTiffAreJoinedToo)
{
    constexpr std::uint64_t begin = 4096;
    const std::filesystem::path first = page(1, true);
    const oiio::TiffPages pages = oiio::tiff_pages(oiio::TiffFile(first));
    ASSERT_TRUE(oiio::TiffFile(first).is_big());
    ASSERT_EQ(pages.directories.size(), 1U);
    std::filesystem::resize_file(first, begin);
    std::ofstream(first, std::ios::binary | std::ios::app) << std::ifstream(page(2, true), std::ios::binary).rdbuf();
    EXPECT_TRUE(oiio::join_tiff(first, begin, pages.directories.front().next_place));
    expect_pages(first, {1, 2});
}

TEST_F(FileParts, ThatAreNoTiffAreNotJoined)
{
    const std::filesystem::path file = page(1);
    const std::uint64_t next = oiio::tiff_pages(oiio::TiffFile(file)).directories.front().next_place;
    const std::uint64_t end = std::filesystem::file_size(file);
    std::ofstream(file, std::ios::binary | std::ios::app) << "II*\0nothing that is a directory";
    EXPECT_FALSE(oiio::join_tiff(file, end, next));
    expect_pages(file, {1});
}

StackChange change(int before, int after, bool all_kept)
{
    return {before, after, all_kept, {64, 48}, {64, 48}, FileType::u16, true};
}

TEST(StackDescription, OfImageJHasTheNumberThatIsThere)
{
    const std::string text = "ImageJ=1.53\nimages=6\nchannels=2\nslices=3\nhyperstack=true\nunit=um\n";
    EXPECT_EQ(description_after(text, change(6, 6, true)), text);
    EXPECT_EQ(description_after(text, change(6, 2, false)), "ImageJ=1.53\nimages=2\nslices=2\nunit=um\n");
    EXPECT_EQ(description_after(text, change(6, 1, false)), "ImageJ=1.53\nunit=um\n");
    EXPECT_EQ(description_after(text, change(1, 1, true)), "ImageJ=1.53\nunit=um\n") << "5 of 6 have no directory";
}

TEST(StackDescription, OfOmeFollowsSizeAndType)
{
    const std::string text =
        R"(<OME a="1"><Image><Pixels ID="0" SizeX="64" SizeY="48" SizeZ="6" Type="uint16"/></Image></OME>)";
    EXPECT_EQ(description_after(text, change(6, 6, true)), text);
    StackChange smaller = change(6, 6, true);
    smaller.after = {60, 40};
    smaller.type = FileType::float32;
    smaller.same_type = false;
    EXPECT_EQ(description_after(text, smaller),
              R"(<OME a="1"><Image><Pixels ID="0" SizeX="60" SizeY="40" SizeZ="6" Type="float"/></Image></OME>)");
    EXPECT_EQ(
        description_after("<OME a='1'>\n<Pixels\n SizeX='64'\tSizeY = '48' Type= 'uint16'></Pixels></OME>", smaller),
        "<OME a='1'>\n<Pixels\n SizeX='60'\tSizeY = '40' Type= 'float'></Pixels></OME>");
    EXPECT_EQ(description_after(text, change(6, 5, false)), std::nullopt);
    smaller.type = FileType::half;
    EXPECT_EQ(description_after(text, smaller), std::nullopt) << "OME has no word for it";
}

TEST(StackDescription, OfTifffileHasTheShapeThatIsThere)
{
    StackChange smaller = change(6, 6, true);
    smaller.after = {60, 40};
    EXPECT_EQ(description_after(R"({"shape": [2, 3, 48, 64], "axes": "TZYX"})", smaller),
              R"({"shape": [2, 3, 40, 60], "axes": "TZYX"})");
    EXPECT_EQ(description_after(R"({"shape": [6, 48, 64, 3]})", change(6, 2, false)), R"({"shape": [2, 48, 64, 3]})");
    EXPECT_EQ(description_after(R"({"shape": [6, 48, 64]})", change(6, 1, false)), R"({"shape": [48, 64]})");
    EXPECT_EQ(description_after(R"({"shape": [48, 64)", change(1, 1, true)), std::nullopt) << "it is cut";
}

TEST(StackDescription, ThatCountsNothingStays)
{
    EXPECT_EQ(description_after("images=6, says a cat", change(6, 1, false)), "images=6, says a cat");
}

}  // namespace
}  // namespace clconv::testing
