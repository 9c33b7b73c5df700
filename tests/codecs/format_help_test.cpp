// SPDX-License-Identifier: Apache-2.0
// What help says about formats is what the formats take.

#include "image/format_help.h"
#include "base/errors.h"
#include "encoders/compression.h"

#include <gtest/gtest.h>

#include <cctype>
#include <regex>
#include <string>
#include <utility>

namespace clconv::test {
namespace {

/// Whether the title is a word of the text.
bool names(const std::string& text, std::string_view title)
{
    return std::regex_search(text, std::regex("\\b" + std::string(title) + "\\b"));
}

TEST(FormatHelp, NamesExactlyTheFormatsWithAProperty)
{
    for (bool FileFormat::*const property : {&FileFormat::by_rows, &FileFormat::holds_parts, &FileFormat::seeks})
        for (const FileFormat& format : writable_file_formats())
            EXPECT_EQ(names(formats_with(property), format.title), format.*property) << format.name;
}

/// What a text says behind `word` and a colon, up to a semicolon.
std::string behind(const std::string& text, const std::string& word)
{
    const std::size_t begin = text.find(word + ": ");
    return begin == std::string::npos ? "" : text.substr(begin, text.find(';', begin) - begin);
}

TEST(FormatHelp, NamesTheFormatsThatHoldAType)
{
    const std::string text = types_text();
    for (const FileFormat& format : writable_file_formats()) {
        EXPECT_EQ(names(behind(text, "u16"), format.title), format.holds(FileType::u16)) << format.name;
        EXPECT_EQ(names(behind(text, "half"), format.title), format.holds(FileType::half)) << format.name;
        EXPECT_EQ(names(behind(text, "float"), format.title), format.holds(FileType::float32)) << format.name;
        EXPECT_EQ(names(behind(text, "i8, i16, i32, u32, double"), format.title), format.holds(FileType::u32))
            << format.name;
    }
}

TEST(FormatHelp, NamesTheFormatsByTheirAlphaAndTheirLosses)
{
    const std::string text = limits_text();
    for (const FileFormat& format : writable_file_formats()) {
        EXPECT_EQ(names(behind(text, "no alpha"), format.title), format.alpha == AlphaStorage::none) << format.name;
        EXPECT_EQ(names(behind(text, "colours multiplied by alpha"), format.title),
                  format.alpha == AlphaStorage::associated)
            << format.name;
        EXPECT_EQ(names(behind(text, "always with a loss"), format.title), format.is_always_lossy) << format.name;
        EXPECT_EQ(names(behind(text, "a palette"), format.title), format.is_palette) << format.name;
    }
}

TEST(FormatHelp, NamesTheQualityOfEveryFormatThatHasOne)
{
    for (const FileFormat& format : writable_file_formats())
        EXPECT_EQ(names(qualities_text(), format.title), format.default_quality > 0) << format.name;
}

TEST(FormatHelp, EveryFormatHasATitleThatIsItsNameInOtherLetters)
{
    for (const FileFormat& format : writable_file_formats()) {
        if (format.name == "hdr") continue;  // the extension of Radiance
        std::string lower;
        for (const char letter : format.title)
            lower += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        EXPECT_EQ(lower, format.name);
    }
}

/// Whether a file of this name can have the compression.
bool is_taken(const std::string& file, const std::string& compression)
{
    try {
        check_compression(file, parse_compression(compression));
        return true;
    } catch (const InvalidProblem&) {
        return false;
    }
}

TEST(FormatHelp, EveryCodecIsTakenWithTheLevelsThatItNamesAndNoOthers)
{
    const std::string text = codecs_text() + ";";
    const std::regex codec(R"(([a-z0-9]+)(\[:(\d+)-(\d+)\])?[,;])");
    int count = 0;
    for (const auto& [title, file] : {std::pair{"OpenEXR", "a.exr"},
                                      {"TIFF", "a.tif"},
                                      {"PNG", "a.png"},
                                      {"IFF", "a.iff"},
                                      {"Targa", "a.tga"},
                                      {"WebP", "a.webp"}}) {
        const std::size_t start = text.find(std::string(title) + " ");
        ASSERT_NE(start, std::string::npos) << title;
        const std::string listed = text.substr(start, text.find(';', start) + 1 - start);
        for (std::sregex_iterator found(listed.begin(), listed.end(), codec), end; found != end; ++found, ++count) {
            const std::string name = (*found)[1];
            EXPECT_TRUE(is_taken(file, name)) << file << " " << name;
            if (!(*found)[2].matched) {
                EXPECT_FALSE(is_taken(file, name + ":1")) << file << " " << name;
                continue;
            }
            const int minimum = std::stoi((*found)[3]);
            const int maximum = std::stoi((*found)[4]);
            EXPECT_TRUE(is_taken(file, name + ":" + std::to_string(minimum)));
            EXPECT_TRUE(is_taken(file, name + ":" + std::to_string(maximum)));
            EXPECT_FALSE(is_taken(file, name + ":" + std::to_string(minimum - 1)));
            EXPECT_FALSE(is_taken(file, name + ":" + std::to_string(maximum + 1)));
        }
    }
    EXPECT_EQ(count, 25);
}

}  // namespace
}  // namespace clconv::test
