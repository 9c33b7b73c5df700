// SPDX-License-Identifier: Apache-2.0
// What the writer of FITS does without an option of the command line: planes one after the other; and its sums.
#include "codecs/fits_input.h"
#include "codecs/test_files.h"
#include "encoders/fits_output.h"
#include "fits/fits_header.h"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <random>

namespace clconv::fits {
namespace {

constexpr int kWidth = 5;
constexpr int kHeight = 3;

using Bytes = std::vector<unsigned char>;

oiio::FileHeader plane_header() { return {kWidth, kHeight, 1, OIIO::TypeDesc::UINT16}; }

/// Samples that tell where they lie: plane, row from the top, column.
std::vector<std::uint16_t> plane(int number)
{
    std::vector<std::uint16_t> samples;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) samples.push_back(static_cast<std::uint16_t>(number * 10000 + y * 100 + x));
    return samples;
}

TEST(FitsOutput, PutsPartsBehindEachOtherAsPlanesOfACube)
{
    constexpr int planes = 3;
    OIIO::Filesystem::IOVecOutput memory;
    const auto output = create_output();
    output->set_stream(&memory);
    const std::vector<oiio::FileHeader> headers(planes, plane_header());
    ASSERT_TRUE(output->open("", headers)) << output->take_error();
    for (int part = 0; part < planes; ++part) {
        if (part > 0) {
            ASSERT_TRUE(output->open_next("", headers[0]));
        }
        ASSERT_TRUE(
            output->write_image(OIIO::TypeDesc::UINT16, reinterpret_cast<const std::byte*>(plane(part).data())));
    }
    ASSERT_TRUE(output->close());

    const Bytes& file = memory.buffer();
    const std::string header(file.begin(), file.begin() + kBlock);
    EXPECT_NE(header.find("NAXIS3  =                    3"), std::string::npos);
    ASSERT_EQ(file.size(), 2 * kBlock);
    for (int part = 0; part < planes; ++part)
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) {
                const auto at =
                    kBlock + static_cast<std::size_t>(2 * ((part * kHeight + kHeight - 1 - y) * kWidth + x));
                const auto stored = static_cast<std::int16_t>(file[at] << 8U | file[at + 1]);
                EXPECT_EQ(stored + 32768, part * 10000 + y * 100 + x);
            }
}

TEST(FitsOutput, RefusesAPlaneOfAnotherSize)
{
    OIIO::Filesystem::IOVecOutput memory;
    const auto output = create_output();
    output->set_stream(&memory);
    const std::vector<oiio::FileHeader> headers(2, plane_header());
    ASSERT_TRUE(output->open("", headers));
    EXPECT_FALSE(output->open_next("", oiio::FileHeader(4, 4, 1, OIIO::TypeDesc::UINT16)));
    EXPECT_THAT(output->take_error(), ::testing::HasSubstr("one size"));
}

TEST(FitsOutput, RefusesOtherHdusOfAnInputThatHasGrownOrShrunk)
{
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("clconv-fits-" + std::to_string(::getpid()));
    constexpr std::array<std::int64_t, 3> span{0, 2 * kBlock, 3 * kBlock};  // the image, and one HDU behind it
    oiio::FileHeader header = plane_header();
    set_bytes(header, kFile, file.string());
    header.attribute(kSpan, OIIO::TypeDesc(OIIO::TypeDesc::INT64, 3), span.data());
    for (const std::size_t blocks : {3, 4, 2}) {
        std::ofstream(file, std::ios::trunc) << std::string(3 * kBlock, ' ');
        OIIO::Filesystem::IOVecOutput memory;
        const auto output = create_output();
        output->set_stream(&memory);
        ASSERT_TRUE(output->open("", {header}));
        ASSERT_TRUE(output->write_image(OIIO::TypeDesc::UINT16, reinterpret_cast<const std::byte*>(plane(0).data())));
        std::filesystem::resize_file(file, blocks * kBlock);
        EXPECT_EQ(output->close(), blocks == 3) << blocks;
        EXPECT_EQ(output->take_error().find("has changed") != std::string::npos, blocks != 3) << blocks;
    }
    std::filesystem::remove(file);
}

/// FITS standard 4.0, appendix J: words added with their carries brought round.
std::uint32_t ones_complement_sum(const Bytes& bytes)
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
        sum += std::uint64_t{bytes[i]} << 24U | std::uint64_t{bytes[i + 1]} << 16U | std::uint64_t{bytes[i + 2]} << 8U |
               bytes[i + 3];
        sum = (sum & 0xFFFFFFFF) + (sum >> 32U);
    }
    return static_cast<std::uint32_t>(sum);
}

TEST(FitsChecksum, IsTheSameInWhateverPiecesBytesCome)
{
    std::mt19937 random(7);
    for (const unsigned maximum : {0U, 1U, 255U}) {
        Bytes bytes(kBlock);
        for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random() % (maximum + 1));
        if (maximum == 1) std::fill(bytes.begin(), bytes.end(), 255);  // comes to the other zero
        Checksum sum;
        std::size_t end = bytes.size();
        while (end > 0) {
            const std::size_t begin = end - std::min<std::size_t>(end, 1 + random() % 97);
            sum.add(static_cast<std::int64_t>(begin), bytes.data() + begin, end - begin);
            end = begin;
        }
        EXPECT_EQ(sum.value(), ones_complement_sum(bytes)) << maximum;
    }
}

}  // namespace
}  // namespace clconv::fits
