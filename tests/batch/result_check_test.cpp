// SPDX-License-Identifier: Apache-2.0
// Which results count as overflown, at the very ends of what a file's type holds.
#include "batch/result_check.h"

#include "base/errors.h"
#include "base/half.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace clconv::test {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

/// The count for one row of results of one channel.
std::size_t overflow(const std::byte* samples, std::size_t count, SampleType type, const ResultFile& file)
{
    Image image;
    image.extent = {static_cast<int>(count), 1};
    image.channels = 1;
    const ImageView view{image.extent, 1, type, samples};
    return count_overflow("in.exr", image, {view}, file);
}

std::size_t overflow(const std::vector<float>& results, const ResultFile& file)
{
    return overflow(reinterpret_cast<const std::byte*>(results.data()), results.size(), SampleType::float32, file);
}

std::size_t overflow_of_halves(const std::vector<float>& results)
{
    std::vector<std::uint16_t> halves;
    for (const float result : results) halves.push_back(half_from_float(result));
    return overflow(reinterpret_cast<const std::byte*>(halves.data()), halves.size(), SampleType::half,
                    {FileType::half});
}

TEST(CountOverflow, FloatsThatRoundToAnInfiniteHalfAreBeyondIt)
{
    const float last = std::nextafter(65520.0F, 0.0F);
    EXPECT_EQ(overflow({65504, last, -last}, {FileType::half}), 0);
    EXPECT_EQ(overflow({65520, 1, -65520}, {FileType::half}), 2);
    EXPECT_EQ(overflow({65520}, {FileType::float32}), 0);
}

TEST(CountOverflow, HalvesMayBeInfiniteButNoNumberTheyMustBe)
{
    EXPECT_EQ(overflow_of_halves({1, kInfinite, -kInfinite}), 2);
    EXPECT_THROW((void)overflow_of_halves({1, kInfinite, std::nanf("")}), InputError);
}

TEST(CountOverflow, FloatsThatAreNotFiniteFailTheirImage)
{
    EXPECT_THROW((void)overflow({1, kInfinite}, {FileType::half}), InputError);
    EXPECT_THROW((void)overflow({1, std::nanf("")}, {FileType::float32}), InputError);
}

/// Codes just within and just beyond those that count as clamped.
struct Ends {
    FileType file;
    float code_of_one;
    float lowest, highest;  ///< the file's codes
};
class CountOverflowOfIntegers : public testing::TestWithParam<Ends> {};

TEST_P(CountOverflowOfIntegers, BeginsMoreThanACodeBeyondEitherEnd)
{
    const auto [file, one, lowest, highest] = GetParam();
    constexpr float within = 0.99F;
    constexpr float beyond = 1.01F;
    EXPECT_EQ(overflow({(lowest - within) / one, lowest / one, highest / one, (highest + within) / one}, {file}), 0);
    EXPECT_EQ(overflow({(lowest - beyond) / one, 0}, {file}), 1);
    EXPECT_EQ(overflow({(highest + beyond) / one, 0}, {file}), 1);
}

INSTANTIATE_TEST_SUITE_P(Files, CountOverflowOfIntegers,
                         testing::Values(Ends{FileType::u8, 255, 0, 255}, Ends{FileType::i8, 127, -128, 127},
                                         Ends{FileType::u16, 65535, 0, 65535},
                                         Ends{FileType::i16, 32767, -32768, 32767}),
                         [](const auto& tested) { return std::string(name_of(tested.param.file)); });

TEST(CountOverflow, LightThatABloomClipsIsNotCounted)
{
    EXPECT_EQ(overflow({-3, 7}, {FileType::u8, nullptr, true}), 0);
}

}  // namespace
}  // namespace clconv::test
