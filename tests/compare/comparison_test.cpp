// SPDX-License-Identifier: Apache-2.0
#include "compare/comparison.h"
#include "compare/structural_similarity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace clconv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsNan;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");

/// An image of one channel for each type, whose pixels it owns.
template <class T>
struct Picture {
    Extent extent;
    FileType type;
    std::vector<T> values;
    std::size_t channels = 1;

    [[nodiscard]] StoredSamples samples() const
    {
        return {extent, std::vector<std::string>(channels, "Y"), std::vector<FileType>(channels, type),
                reinterpret_cast<const std::byte*>(values.data())};
    }
};

Picture<double> noise(Extent extent, unsigned seed)
{
    std::mt19937 random(seed);
    Picture<double> picture{extent, FileType::float64, std::vector<double>(extent.pixels())};
    for (double& value : picture.values) value = std::uniform_real_distribution(0.0, 1.0)(random);
    return picture;
}

TEST(StoredSamples, HaveTheCodesOfIntegersAndTheirFractionsUnderUnitScale)
{
    const Picture<std::uint8_t> picture{{2, 1}, FileType::u8, {51, 255}};
    EXPECT_THAT(picture.samples().plane(0, SampleScale::codes), ElementsAre(51.0, 255.0));
    EXPECT_THAT(picture.samples().plane(0, SampleScale::unit), ElementsAre(51 / 255.0, 1.0));
    const Picture<std::int8_t> bytes{{2, 1}, FileType::i8, {-127, 127}};
    EXPECT_THAT(bytes.samples().plane(0, SampleScale::unit), ElementsAre(-1.0, 1.0));
    const Picture<std::int16_t> negative{{2, 1}, FileType::i16, {-32767, 32767}};
    EXPECT_THAT(negative.samples().plane(0, SampleScale::unit), ElementsAre(-1.0, 1.0));
}

TEST(StoredSamples, MayHaveChannelsOfSeveralTypes)
{
    const float value = 0.1F;
    const std::uint32_t id = 4294967295U;
    const std::uint16_t half = 0x3c00;  // 1
    std::vector<std::byte> pixel(10);
    std::memcpy(pixel.data(), &half, 2);
    std::memcpy(pixel.data() + 2, &id, 4);
    std::memcpy(pixel.data() + 6, &value, 4);
    const StoredSamples samples{
        {1, 1}, {"R", "id", "Z"}, {FileType::half, FileType::u32, FileType::float32}, pixel.data()};
    EXPECT_THAT(samples.plane(0, SampleScale::codes), ElementsAre(1.0));
    EXPECT_THAT(samples.plane(1, SampleScale::codes), ElementsAre(4294967295.0));
    EXPECT_THAT(samples.plane(2, SampleScale::codes), ElementsAre(static_cast<double>(0.1F)));
}

TEST(StoredSamples, CountRepresentableValuesAcrossZero)
{
    const float minimum = std::numeric_limits<float>::denorm_min();
    const Picture<float> picture{{4, 1}, FileType::float32, {-minimum, -0.0F, 0.0F, std::nextafter(0.0F, 1.0F)}};
    EXPECT_THAT(picture.samples().steps(0), ElementsAre(-1.0, 0.0, 0.0, 1.0));
    const Picture<float> one{{2, 1}, FileType::float32, {1.0F, std::nextafter(std::nextafter(1.0F, 2.0F), 2.0F)}};
    const std::vector<double> steps = one.samples().steps(0);
    EXPECT_EQ(steps[1] - steps[0], 2);
}

/// By their bits, the largest half and NaN are only 513 values apart.
TEST(StoredSamples, CountRepresentableHalvesAndNoneToNaN)
{
    const Picture<std::uint16_t> halves{{6, 1}, FileType::half, {0x8001, 0x8000, 0, 1, 0x7bff, 0x7e00}};
    EXPECT_THAT(halves.samples().steps(0), ElementsAre(-1.0, 0.0, 0.0, 1.0, 31743.0, IsNan()));
}

TEST(Differences, AreThoseOfDirectSums)
{
    const Picture<double> a = noise({13, 9}, 1);
    const Picture<double> b = noise({13, 9}, 2);
    double sum = 0;
    double squares = 0;
    double largest = 0;
    std::size_t above = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const double difference = std::abs(a.values[i] - b.values[i]);
        sum += difference;
        squares += difference * difference;
        largest = std::max(largest, difference);
        if (difference > 0.5) ++above;
    }
    CompareRules rules;
    rules.threshold = 0.5;
    const Comparison found = compare(a.samples(), b.samples(), rules);
    EXPECT_NEAR(found.differences.mean(), sum / 117, 1e-15);
    EXPECT_NEAR(found.differences.rms(), std::sqrt(squares / 117), 1e-15);
    EXPECT_EQ(found.differences.largest->value, largest);
    EXPECT_EQ(found.differences.exceeding, above);
    EXPECT_NEAR(found.psnr, 10 * std::log10(117 / squares), 1e-12);
}

TEST(Differences, SayWhereTheLargestIs)
{
    Picture<std::uint8_t> a{{4, 3}, FileType::u8, std::vector<std::uint8_t>(24, 7), 2};
    Picture<std::uint8_t> b = a;
    b.values[2 * (4 * 2 + 1) + 1] = 250;  // x 1, y 2, the second channel
    const Differences found = compare(a.samples(), b.samples(), {}).differences;
    EXPECT_EQ(found.largest->place, (Position{1, 2}));
    EXPECT_EQ(found.largest->channel, 1);
    EXPECT_EQ(found.largest->a, 7);
    EXPECT_EQ(found.largest->b, 250);
}

TEST(Differences, TakeEqualInfinitiesAndNaNsForEqual)
{
    const Picture<double> a{{3, 1}, FileType::float64, {kInfinite, kNaN, 1}};
    const Differences found = compare(a.samples(), a.samples(), {}).differences;
    EXPECT_EQ(found.differing, 0U);
    EXPECT_EQ(found.nonfinite_a, 2U);
    EXPECT_FALSE(found.largest);
}

TEST(Differences, AreInfiniteWhereOneSampleIsNotFinite)
{
    const Picture<double> a{{2, 1}, FileType::float64, {1, kNaN}};
    const Picture<double> b{{2, 1}, FileType::float64, {1, 1}};
    const Comparison found = compare(a.samples(), b.samples(), {});
    EXPECT_EQ(found.differences.largest->value, kInfinite);
    Tolerances every{.max = 1e9, .rms = 1e9, .psnr = 0.0, .ulp = 1e9};
    EXPECT_EQ(failures(found, every).size(), 4U);
}

TEST(Differences, CountWhatIsNotFiniteOnEitherSideAndLeaveItOutOfSums)
{
    const Picture<double> finite{{2, 1}, FileType::float64, {1, 1}};
    const Picture<double> infinite{{2, 1}, FileType::float64, {3, kInfinite}};
    const Differences found = compare(finite.samples(), infinite.samples(), {}).differences;
    EXPECT_EQ(found.mean(), 2);
    EXPECT_EQ(found.nonfinite_a, 0U);
    EXPECT_EQ(found.nonfinite_b, 1U);
    EXPECT_EQ(compare(infinite.samples(), finite.samples(), {}).differences.mean(), 2);
}

TEST(Differences, LeaveOutMaskedPixels)
{
    const Picture<double> a{{2, 1}, FileType::float64, {1, 2}};
    const Picture<double> b{{2, 1}, FileType::float64, {1, 9}};
    const std::vector<std::uint8_t> mask{1, 0};
    CompareRules rules;
    rules.mask = mask;
    const Differences found = compare(a.samples(), b.samples(), rules).differences;
    EXPECT_EQ(found.samples, 1U);
    EXPECT_EQ(found.differing, 0U);
}

/// By its definition: each window on its own with its two-dimensional weights, variances around the mean.
double direct_similarity(const Picture<double>& a, const Picture<double>& b, double range)
{
    const int width = a.extent.width;
    double total = 0;
    int windows = 0;
    for (int y = 5; y + 5 < a.extent.height; ++y)
        for (int x = 5; x + 5 < width; ++x) {
            const auto mean = [&](const auto& value) {
                double sum = 0;
                double weights = 0;
                for (int j = -5; j <= 5; ++j)
                    for (int i = -5; i <= 5; ++i) {
                        const int place = (y + j) * width + x + i;
                        const auto at = static_cast<std::size_t>(place);
                        const double weight = std::exp(-(i * i + j * j) / (2 * 1.5 * 1.5));
                        sum += weight * value(a.values[at], b.values[at]);
                        weights += weight;
                    }
                return sum / weights;
            };
            const double p = mean([](double v, double) { return v; });
            const double q = mean([](double, double v) { return v; });
            const double pp = mean([p](double v, double) { return (v - p) * (v - p); });
            const double qq = mean([q](double, double v) { return (v - q) * (v - q); });
            const double pq = mean([p, q](double v, double w) { return (v - p) * (w - q); });
            const double c1 = std::pow(0.01 * range, 2);
            const double c2 = std::pow(0.03 * range, 2);
            total += (2 * p * q + c1) * (2 * pq + c2) / ((p * p + q * q + c1) * (pp + qq + c2));
            ++windows;
        }
    return total / windows;
}

TEST(StructuralSimilarity, IsTheMeanOfAllWindowsInside)
{
    const Picture<double> a = noise({17, 13}, 3);
    const Picture<double> b = noise({17, 13}, 4);
    for (const double range : {1.0, 2.0, 255.0}) {
        CompareRules rules;
        rules.range = range;
        EXPECT_NEAR(*compare(a.samples(), b.samples(), rules).ssim, direct_similarity(a, b, range), 1e-12);
    }
    EXPECT_NEAR(*compare(a.samples(), a.samples(), {}).ssim, 1, 1e-12);
}

TEST(StructuralSimilarity, IsNotKnownOfImagesSmallerThanTheWindow)
{
    const Picture<double> a = noise({10, 40}, 5), b = noise({10, 40}, 6);
    const Comparison found = compare(a.samples(), b.samples(), {});
    EXPECT_FALSE(found.ssim);
    EXPECT_THAT(failures(found, {.ssim = 0.5}), ElementsAre(HasSubstr("SSIM is not known")));
}

TEST(StructuralSimilarity, OfEqualImagesIsNoFailureWithoutAWindow)
{
    Picture<double> small = noise({10, 40}, 5), unknown = noise({12, 12}, 5);
    std::ranges::fill(unknown.values, std::numeric_limits<double>::quiet_NaN());
    for (const auto* picture : {&small, &unknown}) {
        const Comparison found = compare(picture->samples(), picture->samples(), {});
        EXPECT_FALSE(found.ssim);
        EXPECT_THAT(failures(found, {.ssim = 1}), IsEmpty());
    }
}

TEST(Comparison, FailsImagesOfOtherSizesOrChannels)
{
    const Picture<double> a = noise({3, 4}, 6);
    const Picture<double> b = noise({4, 3}, 6);
    EXPECT_THAT(failures(compare(a.samples(), b.samples(), {}), {}), ElementsAre("sizes differ: 3x4 and 4x3"));
    Picture<double> wide = noise({6, 4}, 6);
    wide.extent = {3, 4};
    wide.channels = 2;
    EXPECT_THAT(failures(compare(a.samples(), wide.samples(), {}), {}), ElementsAre(HasSubstr("channels differ")));
}

TEST(Comparison, LetsAShareOfTheSamplesExceedTheLargestDifference)
{
    const Picture<double> a{{4, 1}, FileType::float64, {0, 0, 0, 0}};
    const Picture<double> b{{4, 1}, FileType::float64, {0, 0, 0, 5}};
    CompareRules rules;
    rules.threshold = 1;
    const Comparison found = compare(a.samples(), b.samples(), rules);
    EXPECT_EQ(failures(found, {.max = 1.0, .percent = 24}).size(), 1U);
    EXPECT_TRUE(failures(found, {.max = 1.0, .percent = 25}).empty());
}

TEST(Comparison, HoldsAToleranceThatIsMetExactly)
{
    const Picture<float> a{{2, 1}, FileType::float32, {0, 0}}, b{{2, 1}, FileType::float32, {0, 4}};
    const Comparison found = compare(a.samples(), b.samples(), {});
    const double rms = found.differences.rms(), psnr = found.psnr, ulp = found.ulp.value();
    EXPECT_THAT(failures(found, {.rms = rms, .psnr = psnr, .ulp = ulp}), IsEmpty());
    EXPECT_EQ(failures(found, {.rms = rms - 1e-9, .psnr = psnr + 1e-9, .ulp = ulp - 1}).size(), 3U);
}

TEST(Comparison, TakesTheRangeOfFloatsFromTheirLargestMagnitude)
{
    const Picture<float> dark{{2, 1}, FileType::float32, {0, 0.5F}}, bright{{2, 1}, FileType::float32, {0, -8}};
    EXPECT_EQ(compare(dark.samples(), dark.samples(), {}).range, 1);
    EXPECT_EQ(compare(dark.samples(), bright.samples(), {}).range, 8);
}

TEST(Comparison, LeavesMaskedPixelsOutOfItsHeatmap)
{
    const Picture<float> a{{3, 1}, FileType::float32, {0, 0, 0}}, b{{3, 1}, FileType::float32, {1, 2, 3}};
    const std::vector<std::uint8_t> mask{1, 0, 1};
    CompareRules rules;
    rules.mask = mask;
    rules.has_heatmap = true;
    EXPECT_THAT(compare(a.samples(), b.samples(), rules).heatmap, ElementsAre(1, 0, 3));
}

}  // namespace
}  // namespace clconv
