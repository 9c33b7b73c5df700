// SPDX-License-Identifier: Apache-2.0
// JPEG files, sound and damaged: libjpeg alone gives what OpenImageIO's decoder gives, which calls the same library.
#include "codecs/jpeg_input.h"
#include "test_files.h"

#include <OpenImageIO/imageio.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace clconv::testing::jpeg_input {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

std::string contents(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::filesystem::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

struct Picture {
    int width = 0;
    int height = 0;
    int channels = 3;
    std::string subsampling = "4:2:0";
    bool is_progressive = false;
};

/// A wave with noise, so that every block has all frequencies.
std::string jpeg(const std::filesystem::path& path, const Picture& picture,
                 const std::function<void(ImageSpec&)>& change = {})
{
    std::mt19937 random(1);
    std::vector<unsigned char> samples;
    for (int i = 0; i < picture.width * picture.height * picture.channels; ++i)
        samples.push_back(static_cast<unsigned char>(i / 9 % 200 + static_cast<int>(random() % 50)));
    ImageSpec header(picture.width, picture.height, picture.channels, TypeDesc::UINT8);
    header.attribute("CompressionQuality", 85);
    header.attribute("jpeg:subsampling", picture.subsampling);
    header.attribute("jpeg:progressive", picture.is_progressive ? 1 : 0);
    if (change) change(header);
    const auto file = OIIO::ImageOutput::create("jpeg");
    EXPECT_TRUE(file->open(path.string(), header) && file->write_image(TypeDesc::UINT8, samples.data()));
    EXPECT_TRUE(file->close());
    return contents(path);
}

/// With a segment of metadata behind the start of the file.
std::string with_segment(std::string file, char marker, const std::string& bytes)
{
    const std::size_t length = bytes.size() + 2;
    const std::string head{'\xFF', marker, static_cast<char>(length >> 8U), static_cast<char>(length & 0xFFU)};
    return file.insert(2, head + bytes);
}

std::string exif_of(char orientation)
{
    using namespace std::string_literals;
    return "Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0"s + orientation + "\0\0\0\0\0\0\0"s;
}

std::string xmp_of(const std::string& orientation)
{
    return std::string("http://ns.adobe.com/xap/1.0/\0", 29) + "<rdf:Description tiff:Orientation=\"" + orientation +
           "\"></rdf:Description>";
}

/// The same file in both decoders.
class BothDecoders {
public:
    explicit BothDecoders(const std::filesystem::path& path)
        : ours_(jpeg::open_input(path)), library_(OIIO::ImageInput::create("jpeg"))
    {
        ImageSpec hints;
        hints.attribute("oiio:UnassociatedAlpha", 1);
        library_opens_ = library_->open(path.string(), header_, hints);
        library_->threads(1);
        if (!ours_ || !library_opens_) return;
        row_ = static_cast<std::size_t>(header_.width * header_.nchannels);
        ours_samples_.assign(row_ * static_cast<std::size_t>(header_.height), std::byte{0x5A});
        library_samples_ = ours_samples_;
        compare_messages();
    }

    [[nodiscard]] bool both_open() const { return ours_ && library_opens_; }
    [[nodiscard]] bool library_opens() const { return library_opens_; }
    [[nodiscard]] const oiio::FileHeader& header() const { return ours_->header(); }
    [[nodiscard]] const ImageSpec& library_header() const { return header_; }
    /// Of both, so far.
    [[nodiscard]] const std::string& messages() const { return messages_; }

    /// Fails the test if results, messages or samples differ.
    void read(oiio::RowRange rows)
    {
        const std::size_t place = static_cast<std::size_t>(rows.begin) * row_;
        const bool ours = ours_->read_rows(rows, TypeDesc::UINT8, ours_samples_.data() + place);
        const bool library = library_->read_scanlines(0, 0, rows.begin, rows.end, 0, 0, header_.nchannels,
                                                      TypeDesc::UNKNOWN, library_samples_.data() + place);
        EXPECT_EQ(ours, library) << rows.begin;
        EXPECT_TRUE(ours_samples_ == library_samples_) << rows.begin;
        compare_messages();
    }

    void read_in_blocks(int rows)
    {
        for (int y = 0; y < header_.height; y += rows) read({y, std::min(y + rows, header_.height)});
    }

private:
    void compare_messages()
    {
        EXPECT_EQ(ours_->has_error(), library_->has_error());
        const std::string message = library_->geterror();
        EXPECT_EQ(ours_->take_error(), message);
        messages_ += message;
    }

    std::unique_ptr<oiio::Decoder> ours_;
    std::unique_ptr<OIIO::ImageInput> library_;
    bool library_opens_ = false;
    ImageSpec header_;
    std::size_t row_ = 0;
    std::vector<std::byte> ours_samples_;
    std::vector<std::byte> library_samples_;
    std::string messages_;
};

using JpegInput = ImageFile;

TEST_F(JpegInput, SamplesAreThoseOfTheLibrary)
{
    for (const Picture& picture :
         {Picture{1, 1}, Picture{1, 1, 1}, Picture{17, 9, 3, "4:2:2"}, Picture{16, 33, 3, "4:1:1", true},
          Picture{31, 50, 3, "4:2:0", true}, Picture{40, 41, 3, "4:4:4"}, Picture{33, 70, 1}}) {
        SCOPED_TRACE(std::to_string(picture.width) + "x" + std::to_string(picture.height) + picture.subsampling);
        jpeg(path("a.jpg"), picture);
        BothDecoders both(path("a.jpg"));
        ASSERT_TRUE(both.both_open());
        EXPECT_EQ(both.header().width, picture.width);
        EXPECT_EQ(both.header().height, picture.height);
        EXPECT_EQ(both.header().nchannels, picture.channels);
        EXPECT_EQ(both.header().get_string_attribute("oiio:ColorSpace"), "sRGB");
        both.read_in_blocks(7);
        EXPECT_EQ(both.messages(), "");
    }
}

TEST_F(JpegInput, EarlierRowsAreReadAgainAndOthersSkipped)
{
    jpeg(path("a.jpg"), {40, 100});
    BothDecoders both(path("a.jpg"));
    ASSERT_TRUE(both.both_open());
    for (const oiio::RowRange rows : {oiio::RowRange{60, 70}, {80, 100}, {5, 6}, {6, 20}, {6, 100}, {0, 1}})
        both.read(rows);
}

TEST_F(JpegInput, DamagedFilesGiveTheMessagesAndSamplesOfTheLibrary)
{
    std::mt19937 random(2);
    int failures = 0;
    int warnings = 0;
    int left = 0;
    for (const bool is_progressive : {false, true}) {
        const std::string sound = jpeg(path("sound.jpg"), {50, 60, 3, "4:2:0", is_progressive});
        for (int i = 0; i < 120; ++i) {
            SCOPED_TRACE(i);
            std::string bytes = sound;
            if (i % 3 == 0)
                bytes.resize(random() % bytes.size());
            else
                for (int k = 0; k < 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
            write(path("a.jpg"), bytes);
            BothDecoders both(path("a.jpg"));
            if (!both.library_opens()) ++failures;
            if (both.library_opens() && !both.both_open()) ++left;
            if (!both.both_open()) continue;
            both.read_in_blocks(16);
            both.read({0, both.header().height});
            if (!both.messages().empty()) ++warnings;
        }
    }
    EXPECT_GT(failures, 10);
    EXPECT_GT(warnings, 50);
    EXPECT_LT(left, 5);  // whose number of channels or metadata became unusual
}

TEST_F(JpegInput, StrayBytesAreAWarningFromTheStart)
{
    std::string bytes = jpeg(path("a.jpg"), {20, 20});
    write(path("a.jpg"), bytes.insert(2, "stray"));
    BothDecoders both(path("a.jpg"));
    ASSERT_TRUE(both.both_open());
    EXPECT_THAT(both.messages(), ::testing::HasSubstr("5 extraneous bytes"));
    both.read_in_blocks(20);
}

/// Earlier rows are decoded from the file's beginning. Nothing is written beyond the rows of the old size.
TEST_F(JpegInput, AFileThatChangesBeforeItIsReadAgainIsAFailure)
{
    const std::string wide = jpeg(path("wide.jpg"), {90, 20});
    for (const std::string& changed : {wide, wide.substr(0, 20), std::string()}) {
        jpeg(path("a.jpg"), {20, 20});
        const auto input = jpeg::open_input(path("a.jpg"));
        ASSERT_TRUE(input);
        std::vector<std::byte> samples(20 * 20 * 3);
        EXPECT_TRUE(input->read_rows({0, 20}, TypeDesc::UINT8, samples.data()));
        write(path("a.jpg"), changed);
        EXPECT_FALSE(input->read_rows({0, 20}, TypeDesc::UINT8, samples.data()));
        EXPECT_TRUE(input->has_error());
        EXPECT_FALSE(input->read_rows({10, 20}, TypeDesc::UINT8, samples.data()));
    }
}

TEST_F(JpegInput, ProfilesAreJoined)
{
    std::mt19937 random(3);
    std::vector<unsigned char> profile(1000);
    for (unsigned char& byte : profile) byte = static_cast<unsigned char>(random());
    jpeg(path("a.jpg"), {20, 20}, [&](ImageSpec& header) {
        header.attribute("ICCProfile", TypeDesc(TypeDesc::UINT8, static_cast<int>(profile.size())), profile.data());
    });
    std::string bytes = contents(path("a.jpg"));
    // The first half becomes a segment of its own.
    const std::string name("ICC_PROFILE\0", 12);
    const std::size_t place = bytes.find(name) - 4;
    const std::string whole(reinterpret_cast<const char*>(profile.data()), profile.size());
    bytes.erase(place, 4 + name.size() + 2 + whole.size());
    bytes = with_segment(bytes, '\xE2', name + "\2\2" + whole.substr(500));
    bytes = with_segment(bytes, '\xE2', name + "\1\2" + whole.substr(0, 500));
    write(path("a.jpg"), bytes);
    const BothDecoders both(path("a.jpg"));
    ASSERT_TRUE(both.both_open());
    const OIIO::ParamValue* const found = both.header().find_attribute("ICCProfile");
    ASSERT_TRUE(found);
    ASSERT_EQ(found->type().size(), profile.size());
    EXPECT_TRUE(std::ranges::equal(profile, std::string_view(static_cast<const char*>(found->data()), profile.size()),
                                   {}, {}, [](char byte) { return static_cast<unsigned char>(byte); }));
}

TEST_F(JpegInput, OrientationIsThatOfExif)
{
    const std::string bytes = jpeg(path("a.jpg"), {20, 20});
    for (const std::string& file : {with_segment(bytes, '\xE1', exif_of(6)),
                                    with_segment(with_segment(bytes, '\xE1', xmp_of("6")), '\xE1', exif_of(6))}) {
        write(path("a.jpg"), file);
        const BothDecoders both(path("a.jpg"));
        ASSERT_TRUE(both.both_open());
        EXPECT_EQ(both.header().get_int_attribute("Orientation"), 6);
        EXPECT_EQ(both.library_header().get_int_attribute("Orientation"), 6);
    }
}

TEST_F(JpegInput, OrientationThatXmpAloneStatesIsLeftToTheLibrary)
{
    const std::string bytes = jpeg(path("a.jpg"), {20, 20});
    write(path("a.jpg"), with_segment(bytes, '\xE1', xmp_of("6")));
    EXPECT_FALSE(jpeg::open_input(path("a.jpg")));
    write(path("a.jpg"), with_segment(with_segment(bytes, '\xE1', xmp_of("3")), '\xE1', exif_of(6)));
    EXPECT_FALSE(jpeg::open_input(path("a.jpg")));
}

TEST_F(JpegInput, OtherFilesAreLeftToTheLibrary)
{
    const std::string sound = jpeg(path("sound.jpg"), {20, 20});
    for (const std::string& bytes : {std::string(), std::string("P6 1 1 255 abc"), sound.substr(0, 2),
                                     sound.substr(0, sound.find("\xFF\xC0") + 5), sound.substr(2)}) {
        write(path("a.jpg"), bytes);
        EXPECT_FALSE(jpeg::open_input(path("a.jpg"))) << bytes.size();
    }
    EXPECT_FALSE(jpeg::open_input(path("no such file.jpg")));
    EXPECT_FALSE(jpeg::open_input(path("")));
}

}  // namespace
}  // namespace clconv::testing::jpeg_input
