// SPDX-License-Identifier: Apache-2.0
// JPEG files that libjpeg alone writes have the bytes of those that OpenImageIO writes, which calls the same library.
#include "encoders/jpeg_output.h"

#include <OpenImageIO/imageio.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace clconv::testing::jpeg_output {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

/// Keeps what is written. It takes `room` bytes at most.
class KeptBytes final : public OIIO::Filesystem::IOProxy {
public:
    explicit KeptBytes(std::size_t room = std::string::npos) : IOProxy("", Write), room_(room) {}
    const char* proxytype() const override { return "kept"; }
    size_t write(const void* bytes, size_t count) override
    {
        const std::size_t taken = std::min(count, room_ - bytes_.size());
        bytes_.append(static_cast<const char*>(bytes), taken);
        return taken;
    }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
    std::size_t room_;
    std::string bytes_;
};

struct Picture {
    int width = 0;
    int height = 0;
    int channels = 3;
};

std::vector<unsigned char> samples_of(const Picture& picture)
{
    std::mt19937 random(1);
    std::vector<unsigned char> samples;
    for (int i = 0; i < picture.width * picture.height * picture.channels; ++i)
        samples.push_back(static_cast<unsigned char>(i / 9 % 200 + static_cast<int>(random() % 50)));
    return samples;
}

/// An attribute: a number or a text.
struct Attribute {
    const char* name;
    int number = 0;
    std::string text = {};
};

void PrintTo(const Attribute& attribute, std::ostream* out)
{
    *out << attribute.name << " " << attribute.number << attribute.text;
}

template <class Header>
Header header_of(const Picture& picture, const std::vector<Attribute>& attributes)
{
    Header header(picture.width, picture.height, picture.channels, TypeDesc::UINT8);
    for (const Attribute& attribute : attributes)
        if (attribute.text.empty())
            header.attribute(attribute.name, attribute.number);
        else
            header.attribute(attribute.name, attribute.text);
    return header;
}

std::string library_file(const Picture& picture, const ImageSpec& header)
{
    KeptBytes stream;
    const auto output = OIIO::ImageOutput::create("jpeg");
    output->set_ioproxy(&stream);
    EXPECT_TRUE(output->open("a.jpg", header));
    EXPECT_TRUE(output->write_image(TypeDesc::UINT8, samples_of(picture).data()));
    EXPECT_TRUE(output->close());
    return stream.bytes();
}

/// Written in blocks of rows.
std::string file(const Picture& picture, const oiio::FileHeader& header, int block)
{
    KeptBytes stream;
    const auto output = jpeg::create_output();
    output->set_stream(&stream);
    EXPECT_TRUE(output->open("a.jpg", {header})) << output->take_error();
    const std::vector<unsigned char> samples = samples_of(picture);
    const auto* bytes = reinterpret_cast<const std::byte*>(samples.data());
    for (int y = 0; y < picture.height; y += block) {
        const oiio::RowRange rows{y, std::min(y + block, picture.height)};
        EXPECT_TRUE(output->write_rows(rows, TypeDesc::UINT8,
                                       bytes + static_cast<std::size_t>(y * picture.width * picture.channels)));
    }
    EXPECT_TRUE(output->close());
    return stream.bytes();
}

void expect_same_bytes(const Picture& picture, const std::vector<Attribute>& attributes)
{
    const auto header = header_of<oiio::FileHeader>(picture, attributes);
    EXPECT_TRUE(jpeg::can_write(header)) << ::testing::PrintToString(attributes);
    // Not by EXPECT_EQ, which would print both.
    EXPECT_TRUE(file(picture, header, 7) == library_file(picture, header_of<ImageSpec>(picture, attributes)))
        << picture.width << "x" << picture.height << " " << ::testing::PrintToString(attributes);
}

TEST(JpegOutput, FilesOfAllSizesHaveTheBytesOfTheLibrary)
{
    for (const int width : {1, 8, 17, 40})
        for (const int height : {1, 9, 16, 33})
            for (const int channels : {1, 3}) expect_same_bytes({width, height, channels}, {});
}

TEST(JpegOutput, EveryQualityGivesTheBytesOfTheLibrary)
{
    for (int quality = -1; quality <= 102; ++quality)
        expect_same_bytes({20, 20}, {{.name = "CompressionQuality", .number = quality}});
}

TEST(JpegOutput, EveryEncodingGivesTheBytesOfTheLibrary)
{
    for (const char* subsampling : {"4:4:4", "4:2:2", "4:2:0", "4:1:1", "4:4:0", "other"})
        for (const int progressive : {0, 1})
            for (const int channels : {1, 3})
                expect_same_bytes({61, 37, channels}, {{.name = "CompressionQuality", .number = 90},
                                                       {.name = "jpeg:subsampling", .text = subsampling},
                                                       {.name = "jpeg:progressive", .number = progressive}});
}

TEST(JpegOutput, OrientationAndColourSpaceGiveTheBytesOfTheLibrary)
{
    for (const char* space : {"sRGB", "srgb", "Linear"}) {
        expect_same_bytes({9, 9}, {{.name = "oiio:ColorSpace", .text = space}});
        for (const int orientation : {0, 1, 8, 65535})
            expect_same_bytes(
                {9, 9}, {{.name = "oiio:ColorSpace", .text = space}, {.name = "Orientation", .number = orientation}});
    }
    expect_same_bytes({9, 9}, {{.name = "Orientation", .number = 6}});
}

TEST(JpegOutput, AProfileOfOneSegmentGivesTheBytesOfTheLibrary)
{
    for (const int size : {1, 3000, 65519}) {
        const Picture picture{9, 9};
        const std::vector<unsigned char> profile = samples_of({size, 1, 1});
        const TypeDesc type(TypeDesc::UINT8, size);
        oiio::FileHeader header = header_of<oiio::FileHeader>(picture, {});
        ImageSpec library_header = header_of<ImageSpec>(picture, {});
        header.attribute("ICCProfile", type, profile.data());
        library_header.attribute("ICCProfile", type, profile.data());
        EXPECT_TRUE(jpeg::can_write(header));
        EXPECT_TRUE(file(picture, header, 9) == library_file(picture, library_header)) << size;
    }
}

/// OpenImageIO's writer copies the last piece from the wrong place.
TEST(JpegOutput, AProfileOfSeveralSegmentsIsWhole)
{
    const Picture picture{9, 9};
    const std::vector<unsigned char> profile = samples_of({150000, 1, 1});
    oiio::FileHeader header = header_of<oiio::FileHeader>(picture, {});
    header.attribute("ICCProfile", TypeDesc(TypeDesc::UINT8, static_cast<int>(profile.size())), profile.data());
    std::string bytes = file(picture, header, 9);
    OIIO::Filesystem::IOMemReader reader(bytes.data(), bytes.size());
    const auto input = OIIO::ImageInput::create("jpeg");
    input->set_ioproxy(&reader);
    ImageSpec found;
    ASSERT_TRUE(input->open("a.jpg", found));
    const OIIO::ParamValue* const value = found.find_attribute("ICCProfile");
    ASSERT_TRUE(value);
    ASSERT_EQ(value->type().size(), profile.size());
    EXPECT_TRUE(std::equal(profile.begin(), profile.end(), static_cast<const unsigned char*>(value->data())));
}

TEST(JpegOutput, MissingRowsAreBlackAsThoseOfTheLibrary)
{
    const Picture picture{30, 20};
    const std::vector<unsigned char> samples = samples_of(picture);
    KeptBytes stream;
    KeptBytes library_stream;
    const auto output = jpeg::create_output();
    const auto library = OIIO::ImageOutput::create("jpeg");
    output->set_stream(&stream);
    library->set_ioproxy(&library_stream);
    ASSERT_TRUE(output->open("a.jpg", {header_of<oiio::FileHeader>(picture, {})}));
    ASSERT_TRUE(library->open("a.jpg", header_of<ImageSpec>(picture, {})));
    EXPECT_TRUE(output->write_rows({0, 7}, TypeDesc::UINT8, reinterpret_cast<const std::byte*>(samples.data())));
    EXPECT_TRUE(library->write_scanlines(0, 7, 0, TypeDesc::UINT8, samples.data()));
    EXPECT_TRUE(output->close());
    EXPECT_TRUE(library->close());
    EXPECT_TRUE(stream.bytes() == library_stream.bytes());
}

TEST(JpegOutput, RowsOutOfOrderAreRefused)
{
    const Picture picture{30, 20};
    const std::vector<unsigned char> samples = samples_of(picture);
    KeptBytes stream;
    const auto output = jpeg::create_output();
    output->set_stream(&stream);
    ASSERT_TRUE(output->open("a.jpg", {header_of<oiio::FileHeader>(picture, {})}));
    EXPECT_FALSE(output->write_rows({5, 6}, TypeDesc::UINT8, reinterpret_cast<const std::byte*>(samples.data())));
    EXPECT_EQ(output->take_error(), "Attempt to write scanlines out of order to a.jpg");
}

TEST(JpegOutput, AFullStreamIsAFailureAndNotACrash)
{
    const Picture picture{300, 300};
    const std::vector<unsigned char> samples = samples_of(picture);
    for (const std::size_t room : {std::size_t{0}, std::size_t{66000}}) {
        KeptBytes stream(room);
        const auto output = jpeg::create_output();
        output->set_stream(&stream);
        ASSERT_TRUE(output->open("a.jpg", {header_of<oiio::FileHeader>(picture, {})}));
        const bool is_written =
            output->write_image(TypeDesc::UINT8, reinterpret_cast<const std::byte*>(samples.data())) && output->close();
        EXPECT_FALSE(is_written);
        EXPECT_THAT(output->take_error(), ::testing::HasSubstr("Output file write error"));
    }
}

TEST(JpegOutput, OtherHeadersAreLeftToTheLibrary)
{
    const auto is_refused = [](const std::function<void(oiio::FileHeader&)>& change) {
        oiio::FileHeader header(30, 20, 3, TypeDesc::UINT8);
        EXPECT_TRUE(jpeg::can_write(header));
        change(header);
        return !jpeg::can_write(header);
    };
    EXPECT_TRUE(is_refused([](auto& header) { header.set_format(TypeDesc::UINT16); }));
    EXPECT_TRUE(is_refused([](auto& header) { header.nchannels = 2; }));
    EXPECT_TRUE(is_refused([](auto& header) { header.tile_width = header.tile_height = 16; }));
    EXPECT_TRUE(is_refused([](auto& header) { header.width = 65501; }));
    EXPECT_TRUE(is_refused([](auto& header) { header.attribute("XResolution", 72.0F); }));
    EXPECT_TRUE(is_refused([](auto& header) { header.attribute("ImageDescription", "text"); }));
    EXPECT_TRUE(is_refused([](auto& header) { header.attribute("compression", "jpeg:50"); }));
}

}  // namespace
}  // namespace clconv::testing::jpeg_output
