// SPDX-License-Identifier: Apache-2.0
// The writer of PNG files writes the bytes that OpenImageIO's writes.
#include "encoders/png_output.h"
#include "base/extent.h"
#include "codecs/test_files.h"
#include "formats/png_chunks.h"

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace clconv::testing::png_output {
namespace {

using oiio::FileHeader;
using OIIO::TypeDesc;

constexpr int kSubFilter = 16;

/// What is known of a file after it was written, or not.
struct Written {
    std::vector<unsigned char> bytes;
    bool is_open = false;
    bool is_whole = false;
    std::string message;

    bool operator==(const Written&) const = default;
};

void PrintTo(const Written& written, std::ostream* out)
{
    *out << written.bytes.size() << " bytes, open " << written.is_open << ", whole " << written.is_whole << ": "
         << written.message;
}

FileHeader header_for(int width, int height, int channels, TypeDesc type)
{
    FileHeader header(width, height, channels, type);
    header.attribute("png:compressionLevel", 2);
    header.attribute("png:filter", kSubFilter);
    header.attribute("compression", "rle");
    if (channels == 2 || channels == 4) header.attribute("oiio:UnassociatedAlpha", 1);
    return header;
}

/// Noise around a slope, so that there are runs and repetitions.
std::vector<std::byte> samples_for(const FileHeader& header)
{
    std::mt19937 random(3);
    std::vector<std::byte> samples(header.image_bytes());
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = static_cast<std::byte>(i / 90 + ((random() >> 30U) == 0 ? random() >> 28U : 0));
    return samples;
}

Written by_the_library(const FileHeader& header, const std::vector<std::byte>& samples)
{
    Written written;
    OIIO::ImageSpec spec(header.width, header.height, header.nchannels, header.format);
    spec.x = header.x;
    spec.y = header.y;
    spec.extra_attribs = header.extra_attribs;
    OIIO::Filesystem::IOVecOutput stream(written.bytes);
    const auto output = OIIO::ImageOutput::create("png");
    output->set_ioproxy(&stream);
    written.is_open = output->open("a.png", spec);
    written.is_whole = written.is_open && output->write_image(header.format, samples.data());
    written.is_whole &= output->close();
    written.message = output->geterror();
    return written;
}

/// `step`: the rows that are written at once.
Written by_ours(const FileHeader& header, const std::vector<std::byte>& samples, int step)
{
    Written written;
    OIIO::Filesystem::IOVecOutput stream(written.bytes);
    const auto output = png::create_output();
    output->set_stream(&stream);
    written.is_open = output->open("a.png", {header});
    written.is_whole = written.is_open;
    for (int y = 0; written.is_whole && y < header.height; y += step)
        written.is_whole = output->write_rows({y, std::min(y + step, header.height)}, header.format,
                                              samples.data() + static_cast<std::size_t>(y) * header.scanline_bytes());
    written.is_whole &= output->close();
    written.message = output->take_error();
    return written;
}

TEST(PngOutput, EveryKindOfSamplesIsWrittenAsByTheLibrary)
{
    if (OIIO::openimageio_version() >= 20500)
        GTEST_SKIP() << "OpenImageIO 2.5 adds an eXIf without tags, and writes no position";
    for (const TypeDesc& type : {TypeDesc(TypeDesc::UINT8), TypeDesc(TypeDesc::UINT16)})
        for (int channels = 1; channels <= 4; ++channels)
            for (const Extent extent : {Extent{1, 1}, Extent{131, 77}}) {
                SCOPED_TRACE(std::to_string(channels) + " channels of " + std::to_string(type.size()) + " bytes");
                const FileHeader header = header_for(extent.width, extent.height, channels, type);
                const std::vector<std::byte> samples = samples_for(header);
                ASSERT_TRUE(png::can_write(header));
                const Written wanted = by_the_library(header, samples);
                EXPECT_TRUE(wanted.is_whole);
                EXPECT_EQ(by_ours(header, samples, extent.height), wanted);
                EXPECT_EQ(by_ours(header, samples, 10), wanted);
            }
}

TEST(PngOutput, LevelsStrategiesAndFiltersAreTheLibrarys)
{
    if (OIIO::openimageio_version() >= 20500)
        GTEST_SKIP() << "OpenImageIO 2.5 adds an eXIf without tags, and writes no position";
    for (const char* strategy : {"default", "rle", "huffman", "fixed", "filtered", "unknown"})
        for (const int level : {-1, 0, 2, 9, 12})
            for (const int filter : {0, 8, 16, 0xF8}) {
                SCOPED_TRACE(std::string(strategy) + " " + std::to_string(level) + " " + std::to_string(filter));
                FileHeader header = header_for(60, 40, 3, TypeDesc::UINT8);
                header.attribute("compression", strategy);
                header.attribute("png:compressionLevel", level);
                header.attribute("png:filter", filter);
                const std::vector<std::byte> samples = samples_for(header);
                EXPECT_EQ(by_ours(header, samples, 40), by_the_library(header, samples));
            }
    FileHeader plain(60, 40, 1, TypeDesc::UINT16);
    const std::vector<std::byte> samples = samples_for(plain);
    EXPECT_EQ(by_ours(plain, samples, 40), by_the_library(plain, samples));
}

class PngFile : public ImageFile {
protected:
    std::filesystem::path write(const std::string& name, const Written& written) const
    {
        const std::filesystem::path place = path(name);
        std::ofstream(place, std::ios::binary)
            .write(reinterpret_cast<const char*>(written.bytes.data()),
                   static_cast<std::streamsize>(written.bytes.size()));
        return place;
    }
};

std::string contents_of(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(PngFile, IsTheLibrarysOnceItHasTheChunksOfItsInput)
{
    if (OIIO::openimageio_version() >= 20500)
        GTEST_SKIP() << "OpenImageIO 2.5 adds an eXIf without tags, and writes no position";
    const std::vector<oiio::PngChunk> chunks{{"IHDR", std::string("\0\0\0\5\0\0\0\5\x8\2\0\0\0", 13)},
                                             {"gAMA", std::string("\0\0\xB1\x8F", 4)}};
    for (const char* space : {"sRGB", "linear", "Gamma2.2", "Gamma", "other"})
        for (const bool changes_size : {false, true}) {
            SCOPED_TRACE(space);
            FileHeader header = header_for(50, 30, 3, TypeDesc::UINT8);
            header.x = 4;
            header.y = -6;
            header.attribute("oiio:ColorSpace", space);
            header.attribute("oiio:Gamma", 2.2F);
            header.attribute("ImageDescription", "a text");
            header.attribute("XResolution", 72.0F);
            const std::vector<std::byte> samples = samples_for(header);
            ASSERT_TRUE(png::can_write(header));
            const std::filesystem::path ours = write("ours.png", by_ours(header, samples, 7));
            const std::filesystem::path theirs = write("theirs.png", by_the_library(header, samples));
            oiio::MetadataChange change;
            if (changes_size) change.size = Extent{50, 30};
            oiio::replace_png_chunks(ours, chunks, change);
            oiio::replace_png_chunks(theirs, chunks, change);
            EXPECT_TRUE(contents_of(ours) == contents_of(theirs));
        }
}

TEST(PngOutput, WhatTheFormatRefusesFailsWithTheLibrarysMessage)
{
    if (OIIO::openimageio_version() >= 20500)
        GTEST_SKIP() << "OpenImageIO 2.5 refuses extents with sentences of its own";
    const std::string no_profile(200, 'x');
    FileHeader profile = header_for(5, 5, 3, TypeDesc::UINT8);
    profile.attribute("ICCProfile", TypeDesc(TypeDesc::UINT8, static_cast<int>(no_profile.size())), no_profile.data());
    FileHeader gamma = header_for(5, 5, 3, TypeDesc::UINT8);
    gamma.attribute("oiio:ColorSpace", "Gamma");
    gamma.attribute("oiio:Gamma", 0.0F);
    for (const FileHeader& header : {profile, gamma, header_for(1000001, 1, 1, TypeDesc::UINT8)}) {
        const std::vector<std::byte> samples = samples_for(header);
        const Written wanted = by_the_library(header, samples);
        EXPECT_FALSE(wanted.is_open);
        EXPECT_EQ(by_ours(header, samples, 5).message, wanted.message);
    }
}

TEST(PngOutput, FilesThatNeedTheLibraryAreLeftToIt)
{
    const FileHeader plain = header_for(5, 5, 4, TypeDesc::UINT8);
    EXPECT_TRUE(png::can_write(plain));
    FileHeader associated = plain;
    associated.erase_attribute("oiio:UnassociatedAlpha");
    FileHeader tiled = plain;
    tiled.tile_width = tiled.tile_height = 64;
    FileHeader blank = plain;
    blank.attribute(" ", "a text whose keyword the format refuses");
    for (const FileHeader& header : {associated, tiled, blank, header_for(5, 5, 5, TypeDesc::UINT8),
                                     header_for(5, 5, 3, TypeDesc::FLOAT), header_for(0, 5, 3, TypeDesc::UINT8)})
        EXPECT_FALSE(png::can_write(header));
}

TEST(PngOutput, AFileWithoutAllRowsFails)
{
    const FileHeader header = header_for(20, 20, 3, TypeDesc::UINT8);
    const std::vector<std::byte> samples = samples_for(header);
    std::vector<unsigned char> bytes;
    OIIO::Filesystem::IOVecOutput stream(bytes);
    const auto output = png::create_output();
    EXPECT_FALSE(output->open("a.png", {header}));  // without a stream
    output->set_stream(&stream);
    ASSERT_TRUE(output->open("a.png", {header}));
    EXPECT_TRUE(output->write_rows({0, 5}, header.format, samples.data()));
    EXPECT_FALSE(output->write_rows({6, 10}, header.format, samples.data()));
    EXPECT_FALSE(output->write_rows({5, 21}, header.format, samples.data()));
    EXPECT_FALSE(output->close());
    EXPECT_NE(output->take_error(), "");
}

}  // namespace
}  // namespace clconv::testing::png_output
