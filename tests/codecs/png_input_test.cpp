// SPDX-License-Identifier: Apache-2.0
// The decoder of PNG files gives what OpenImageIO's gives: samples, header, and messages about damage.
#include "codecs/png_input.h"
#include "base/extent.h"
#include "test_files.h"

#include <OpenImageIO/imageio.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace clconv::testing::png_input {
namespace {

using namespace std::string_literals;
using oiio::FileHeader;
using oiio::RowRange;
using OIIO::TypeDesc;

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr int kGray = 0;
constexpr int kRgb = 2;
constexpr int kPalette = 3;
constexpr int kGrayAlpha = 4;
constexpr int kRgba = 6;

std::string big_endian(std::uint32_t value)
{
    std::string bytes;
    for (unsigned shift = 32; shift > 0; shift -= 8) bytes += static_cast<char>(value >> (shift - 8));
    return bytes;
}

std::string chunk(const std::string& name, const std::string& contents)
{
    const std::string named = name + contents;
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(named.data()), named.size());
    return big_endian(static_cast<std::uint32_t>(contents.size())) + named +
           big_endian(static_cast<std::uint32_t>(sum));
}

std::string random_bytes(std::size_t count)
{
    static std::mt19937 random(11);
    std::string bytes(count, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() >> 24U);
    return bytes;
}

struct Kind {
    int colour = kRgb;
    int bits = 8;
    bool has_transparency = false;
    bool is_interlaced = false;
};

/// Where the pixels of a pass begin, and how far apart they are: W3C PNG, 8.2.
struct Pass {
    int x = 0;
    int y = 0;
    int across = 1;
    int down = 1;
};

std::vector<Pass> passes_of(const Kind& kind)
{
    if (!kind.is_interlaced) return {Pass{}};
    return {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
}

/// Noise. Each row begins with the number of its filter.
std::string stored_rows(const Kind& kind, Extent extent)
{
    constexpr std::array channels{1, 0, 3, 1, 2, 0, 4};
    std::string rows;
    for (const Pass& pass : passes_of(kind)) {
        const int columns = (extent.width - pass.x + pass.across - 1) / pass.across;
        const int count = (extent.height - pass.y + pass.down - 1) / pass.down;
        const int bits = columns * kind.bits * channels.at(static_cast<std::size_t>(kind.colour));
        for (int y = 0; columns > 0 && y < count; ++y)
            rows += static_cast<char>(y % 5) + random_bytes(static_cast<std::size_t>(bits + 7) / 8);
    }
    return rows;
}

std::string palette_chunks(const Kind& kind)
{
    std::string chunks;
    const std::size_t colours = std::size_t{1} << static_cast<unsigned>(kind.bits);
    if (kind.colour == kPalette) chunks += chunk("PLTE", random_bytes(3 * colours));
    if (!kind.has_transparency) return chunks;
    if (kind.colour == kPalette) return chunks + chunk("tRNS", random_bytes(colours / 2 + 1));
    return chunks + chunk("tRNS", kind.colour == kGray ? "\0\1"s : "\0\1\0\1\0\1"s);
}

/// `metadata`: chunks before those of the samples.
std::string png_file(const Kind& kind, Extent extent, const std::string& metadata = {})
{
    const std::string rows = stored_rows(kind, extent);
    uLongf size = compressBound(rows.size());
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()), rows.size());
    packed.resize(size);
    std::string head =
        big_endian(static_cast<std::uint32_t>(extent.width)) + big_endian(static_cast<std::uint32_t>(extent.height));
    head += {static_cast<char>(kind.bits), static_cast<char>(kind.colour), 0, 0, static_cast<char>(kind.is_interlaced)};
    std::string file = std::string(kSignature) + chunk("IHDR", head) + metadata + palette_chunks(kind);
    constexpr std::size_t part = 1000;
    for (std::size_t at = 0; at < packed.size(); at += part) file += chunk("IDAT", packed.substr(at, part));
    return file + chunk("IEND", "");
}

std::vector<Kind> all_kinds()
{
    std::vector<Kind> kinds;
    const auto add = [&](int colour, std::initializer_list<int> depths, bool may_be_transparent) {
        for (const int bits : depths)
            for (const bool is_interlaced : {false, true})
                for (const bool has_transparency : {false, true})
                    if (may_be_transparent || !has_transparency)
                        kinds.push_back({colour, bits, has_transparency, is_interlaced});
    };
    add(kGray, {1, 2, 4, 8, 16}, true);
    add(kRgb, {8, 16}, true);
    add(kPalette, {1, 2, 4, 8}, true);
    add(kGrayAlpha, {8, 16}, false);
    add(kRgba, {8, 16}, false);
    return kinds;
}

class PngInput : public ImageFile {
protected:
    std::filesystem::path write(const std::string& file) const
    {
        const std::filesystem::path place = path("a.png");
        std::ofstream(place, std::ios::binary) << file;
        return place;
    }
};

std::unique_ptr<OIIO::ImageInput> by_the_library(const std::filesystem::path& file)
{
    OIIO::ImageSpec hints;
    hints.attribute("oiio:UnassociatedAlpha", 1);
    auto input = OIIO::ImageInput::open(file.string(), &hints);
    if (input) input->threads(1);
    return input;
}

bool read_by_the_library(OIIO::ImageInput& input, RowRange rows, std::vector<std::byte>& samples)
{
    const OIIO::ImageSpec& spec = input.spec();
    return input.read_scanlines(input.current_subimage(), 0, spec.y + rows.begin, spec.y + rows.end, 0, 0,
                                spec.nchannels, TypeDesc::UNKNOWN, samples.data());
}

/// Reads the same rows with both, and compares all that they say about it. Returns whether they could be read.
bool expect_same_rows(oiio::Decoder& ours, OIIO::ImageInput& theirs, RowRange rows)
{
    constexpr std::byte pattern{0xA5};
    const std::size_t bytes = ours.header().scanline_bytes() * static_cast<std::size_t>(rows.count());
    std::vector<std::byte> found(bytes, pattern);
    std::vector<std::byte> wanted(bytes, pattern);
    const bool could = read_by_the_library(theirs, rows, wanted);
    EXPECT_EQ(ours.read_rows(rows, TypeDesc::UNKNOWN, found.data()), could);
    // OpenImageIO 2.5 adds which reader it is.
    EXPECT_EQ(ours.take_error(), OIIO::Strutil::replace(theirs.geterror(), " in png reader", "", true));
    EXPECT_TRUE(found == wanted) << "rows " << rows.begin << " to " << rows.end;
    return could;
}

void expect_same_header(const FileHeader& ours, const OIIO::ImageSpec& theirs)
{
    EXPECT_EQ(ours.x, theirs.x);
    EXPECT_EQ(ours.y, theirs.y);
    EXPECT_EQ(ours.width, theirs.width);
    EXPECT_EQ(ours.height, theirs.height);
    EXPECT_EQ(ours.full_x, theirs.full_x);
    EXPECT_EQ(ours.full_width, theirs.full_width);
    EXPECT_EQ(ours.full_height, theirs.full_height);
    EXPECT_EQ(ours.format, theirs.format);
    EXPECT_EQ(ours.channelnames, theirs.channelnames);
    EXPECT_EQ(ours.alpha_channel, theirs.alpha_channel);
    EXPECT_EQ(ours.extra_attribs.size(), theirs.extra_attribs.size());
    for (const OIIO::ParamValue& attribute : theirs.extra_attribs) {
        const OIIO::ParamValue* const own = ours.find_attribute(attribute.name().string());
        ASSERT_NE(own, nullptr) << attribute.name();
        EXPECT_EQ(own->type(), attribute.type()) << attribute.name();
        EXPECT_EQ(own->get_string(), attribute.get_string()) << attribute.name();
    }
}

TEST_F(PngInput, EveryKindOfSamplesIsDecodedAsByTheLibrary)
{
    for (const Kind& kind : all_kinds())
        for (const Extent extent : {Extent{1, 1}, Extent{37, 23}}) {
            SCOPED_TRACE("colour " + std::to_string(kind.colour) + ", bits " + std::to_string(kind.bits) +
                         (kind.has_transparency ? ", tRNS" : "") + (kind.is_interlaced ? ", interlaced" : ""));
            const std::filesystem::path file = write(png_file(kind, extent));
            const auto ours = png::open_input(file);
            const auto theirs = by_the_library(file);
            ASSERT_TRUE(ours && theirs);
            expect_same_header(ours->header(), theirs->spec());
            EXPECT_TRUE(expect_same_rows(*ours, *theirs, {0, extent.height}));
        }
}

TEST_F(PngInput, RowsMayBeSkippedAndReadAgain)
{
    for (const bool is_interlaced : {false, true}) {
        const std::filesystem::path file = write(png_file({.is_interlaced = is_interlaced}, {40, 50}));
        const auto ours = png::open_input(file);
        const auto theirs = by_the_library(file);
        ASSERT_TRUE(ours && theirs);
        for (const RowRange rows : {RowRange{0, 7}, {7, 30}, {3, 5}, {20, 21}, {49, 50}, {0, 50}})
            EXPECT_TRUE(expect_same_rows(*ours, *theirs, rows));
    }
}

TEST_F(PngInput, ColourOffsetAndTextsAreTheLibrarysAttributes)
{
    const auto gamma = [](std::uint32_t value) { return chunk("gAMA", big_endian(value)); };
    for (const std::string& metadata :
         {gamma(45455), gamma(100000), gamma(38462), gamma(1), gamma(45455) + chunk("sRGB", "\1"),
          chunk("oFFs", big_endian(7) + big_endian(static_cast<std::uint32_t>(-5)) + '\0'),
          chunk("oFFs", big_endian(7) + big_endian(9) + '\1'), chunk("tEXt", "Description\0a stack"s),
          chunk("tEXt", "oiio:ColorSpace\0Linear"s), chunk("tEXt", "Orientation\0006"s),
          chunk("tEXt", "AUTHOR\0me"s) + chunk("tEXt", "Title\0one"s) + chunk("tEXt", "title\0two"s)}) {
        SCOPED_TRACE(metadata);
        const std::filesystem::path file = write(png_file({}, {5, 4}, metadata));
        const auto ours = png::open_input(file);
        const auto theirs = by_the_library(file);
        ASSERT_TRUE(ours && theirs);
        expect_same_header(ours->header(), theirs->spec());
        EXPECT_TRUE(expect_same_rows(*ours, *theirs, {0, 4}));
    }
}

/// Damaged at many places: cut, or with a changed byte.
std::vector<std::string> damaged_files(const std::string& file)
{
    constexpr int variants = 120;
    std::mt19937 random(5);
    std::vector<std::string> files;
    for (int i = 0; i < variants; ++i) {
        std::string damaged = file;
        const std::size_t place = kSignature.size() + random() % (file.size() - kSignature.size());
        if (i % 2 == 0)
            damaged.resize(place);
        else
            damaged[place] = static_cast<char>(damaged[place] ^ static_cast<char>(1 + random() % 255));
        files.push_back(damaged);
    }
    return files;
}

TEST_F(PngInput, OfDamagedFilesItSaysWhatTheLibrarySays)
{
    int opened = 0;
    int failed = 0;
    for (const bool is_interlaced : {false, true})
        for (const std::string& contents : damaged_files(png_file({.is_interlaced = is_interlaced}, {30, 40}))) {
            const std::filesystem::path file = write(contents);
            const auto ours = png::open_input(file);
            const auto theirs = by_the_library(file);
            ASSERT_EQ(ours != nullptr, theirs != nullptr);
            if (!ours) continue;
            ++opened;
            bool is_whole = true;
            const int height = ours->header().height;
            for (int y = 0; y < height && (is_whole || !is_interlaced); y += 10)
                is_whole &= expect_same_rows(*ours, *theirs, {y, std::min(y + 10, height)});
            if (!is_whole) ++failed;
            // Of a damaged interlaced file, the library would crash.
            if (!is_interlaced) expect_same_rows(*ours, *theirs, {0, height});
        }
    EXPECT_GT(opened, 150);
    EXPECT_GT(failed, 100);
}

TEST_F(PngInput, ADamagedInterlacedFileFailsAgain)
{
    std::string contents = png_file({.is_interlaced = true}, {30, 40});
    contents.resize(contents.size() / 2);
    const auto input = png::open_input(write(contents));
    ASSERT_TRUE(input);
    std::vector<std::byte> samples(input->header().image_bytes());
    for (int i = 0; i < 2; ++i) {
        EXPECT_FALSE(input->read_rows({0, 40}, TypeDesc::UNKNOWN, samples.data()));
        EXPECT_EQ(input->take_error(),
                  "Read error: hit end of file\nPNG read error: IDAT: Read error: hit end of file");
    }
}

TEST_F(PngInput, LeavesToTheLibraryWhatItDoesNotRead)
{
    const std::string xmp = "XML:com.adobe.xmp\0\0\0\0\0"s;
    const std::string upright = R"(<rdf:Description tiff:Orientation="1"/>)";
    const std::string turned = R"(<rdf:Description tiff:Orientation="6"/>)";
    EXPECT_TRUE(png::open_input(write(png_file({}, {3, 3}, chunk("iTXt", xmp + upright)))));
    EXPECT_FALSE(png::open_input(write(png_file({}, {3, 3}, chunk("iTXt", xmp + turned)))));
    const std::string exif = chunk("eXIf", "II*\0\x08\0\0\0\0\0"s);
    EXPECT_TRUE(png::open_input(write(png_file({}, {3, 3}, exif))));
    EXPECT_FALSE(png::open_input(write(png_file({}, {3, 3}, chunk("gAMA", big_endian(45455)) + exif))));
    EXPECT_FALSE(png::open_input(write("no PNG")));
    EXPECT_FALSE(png::open_input(path("missing.png")));
}

}  // namespace
}  // namespace clconv::testing::png_input
