// SPDX-License-Identifier: Apache-2.0
// Files with ICC profiles are opened by several threads at once.
#include "test_files.h"

#include <OpenImageIO/imageio.h>
#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace clconv::testing {
namespace {

void append_number(std::string& bytes, std::size_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xFFU);
}

/// A profile with tags that no standard knows. `number` makes their signatures different from those of other profiles.
std::vector<std::uint8_t> profile_of_unknown_tags(std::size_t number)
{
    constexpr std::size_t tags = 1000;
    const std::string text{"text\0\0\0\0words\0\0\0", 16};
    const std::size_t text_at = 128 + 4 + 12 * tags;
    std::string bytes;
    append_number(bytes, text_at + text.size());
    bytes.resize(128);
    bytes.replace(8, 1, "\x02");
    bytes.replace(12, 12, "mntrRGB XYZ ");
    bytes.replace(36, 4, "acsp");
    append_number(bytes, tags);
    for (std::size_t tag = 0; tag < tags; ++tag) {
        append_number(bytes, 0x78000000 + number * tags + tag);
        append_number(bytes, text_at);
        append_number(bytes, text.size());
    }
    bytes += text;
    return {bytes.begin(), bytes.end()};
}

TEST_F(ImageFile, ProfilesAreDecodedByOneThreadAtATime)
{
    constexpr std::size_t threads = 4;
    constexpr std::size_t files = 10;  // a thread
    const auto name = [&](std::size_t number) { return path("a" + std::to_string(number) + ".tif"); };
    for (std::size_t number = 0; number < threads * files; ++number) {
        OIIO::ImageSpec header(4, 4, 3, OIIO::TypeDesc::UINT8);
        const std::vector<std::uint8_t> profile = profile_of_unknown_tags(number);
        header.attribute("ICCProfile", OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile.size())),
                         profile.data());
        const auto output = OIIO::ImageOutput::create("tiff");
        ASSERT_TRUE(output->open(name(number), header));
        const std::array<std::uint8_t, 48> samples{};
        ASSERT_TRUE(output->write_image(OIIO::TypeDesc::UINT8, samples.data()));
    }
    std::atomic<std::size_t> opened = 0;
    std::vector<std::thread> readers;
    for (std::size_t thread = 0; thread < threads; ++thread)
        readers.emplace_back([&, thread] {
            for (std::size_t file = 0; file < files; ++file)
                opened += read_image(name(file * threads + thread)).extent == Extent{4, 4} ? 1 : 0;
        });
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(opened, threads * files);
}

}  // namespace
}  // namespace clconv::testing
