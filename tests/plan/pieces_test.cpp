// SPDX-License-Identifier: Apache-2.0
// Pieces against the whole, by the definition: no device.

#include "plan/pieces.h"

#include "base/errors.h"
#include "conv/direct_reference.h"
#include "plan/devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace clconv::test {
namespace {

using testing::HasSubstr;

DeviceTraits with_memory(DeviceTraits traits, std::uint64_t bytes)
{
    traits.global_memory = traits.max_allocation = bytes;
    return traits;
}

/// Small integers: sums are exact, and equal means equal.
std::vector<double> random_integers(std::size_t count, unsigned seed)
{
    std::mt19937 engine(seed);
    std::uniform_int_distribution<int> uniform(0, 50);
    std::vector<double> values(count);
    for (double& value : values) value = uniform(engine);
    return values;
}

/// A piece's input, gathered as the engine gathers it.
std::vector<double> gathered(const Problem& whole, const std::vector<double>& image, const std::vector<int>& columns,
                             const std::vector<int>& rows, double outside)
{
    std::vector<double> samples;
    for (const int y : rows)
        for (const int x : columns)
            samples.push_back(x < 0 || y < 0 ? outside : image[static_cast<std::size_t>(y) * whole.image.width + x]);
    return samples;
}

std::vector<double> by_pieces(const Problem& whole, const std::vector<double>& image, const std::vector<double>& psf,
                              Extent size, double outside)
{
    const Extent output = output_extent(whole);
    const Cuts columns{output.width, size.width};
    const Cuts rows{output.height, size.height};
    std::vector<double> result(output.pixels(), -1);
    for (int j = 0; j < rows.count(); ++j)
        for (int i = 0; i < columns.count(); ++i) {
            Problem piece = piece_problem(whole, size);
            const auto samples = gathered(whole, image, piece_sources(along_x(whole), columns.first(i), columns.size),
                                          piece_sources(along_y(whole), rows.first(j), rows.size), outside);
            const auto values = direct_reference(piece, samples, psf);
            for (int y = 0; y < size.height; ++y)
                for (int x = 0; x < size.width; ++x)
                    result[static_cast<std::size_t>(rows.first(j) + y) * output.width + columns.first(i) + x] =
                        values[static_cast<std::size_t>(y) * size.width + x];
        }
    return result;
}

TEST(Pieces, GiveTheWholesPixelsWithEveryBorderAndMode)
{
    for (const Border border : all_values<Border>())
        for (const Mode mode : all_values<Mode>()) {
            if (border == Border::renormalize) continue;  // its pieces need the coverage of the whole
            for (const Extent psf : {Extent{1, 1}, Extent{4, 3}, Extent{9, 8}}) {
                Problem whole{
                    {11, 9}, 1, SampleType::float32, SampleType::float32, psf, {psf.width / 3, psf.height - 1}};
                whole.border = border;
                whole.mode = mode;
                const auto image = random_integers(whole.image.pixels(), 1);
                const auto weights = random_integers(psf.pixels(), 2);
                const std::vector<double> outside{border == Border::constant ? 7.0 : 0.0};
                const auto expected = direct_reference(whole, image, weights, outside);
                const Extent output = output_extent(whole);
                for (const Extent size :
                     {output, Extent{1, 1}, Extent{std::min(4, output.width), std::min(5, output.height)}})
                    ASSERT_EQ(by_pieces(whole, image, weights, size, outside[0]), expected)
                        << token(whole) << " in pieces of " << to_string(size);
            }
        }
}

TEST(Cuts, CoverEachPositionOnce)
{
    for (const Cuts cuts : {Cuts{10, 10}, Cuts{10, 5}, Cuts{10, 4}, Cuts{11, 10}, Cuts{7, 1}}) {
        int next = 0;
        for (int i = 0; i < cuts.count(); ++i) {
            EXPECT_EQ(cuts.first(i) + cuts.repeated(i), next);
            EXPECT_LE(cuts.first(i) + cuts.size, cuts.total);
            next = cuts.first(i) + cuts.size;
        }
        EXPECT_EQ(next, cuts.total);
    }
}

TEST(PlanPieces, FitTheDevice)
{
    Problem whole{{6000, 4000}, 3, SampleType::u8, SampleType::u8, {101, 101}, {50, 50}};
    Decisions by_fft;
    by_fft.method = Method::fft;
    for (const DeviceTraits& device : {kNvidia, kSmallGpu, kCpu})
        for (const std::uint64_t megabytes : {200, 100, 30}) {
            const DeviceTraits small = with_memory(device, megabytes << 20);
            EXPECT_THROW((void)make_plan(whole, small, by_fft), TooLarge);
            const Pieces pieces = plan_pieces(whole, small, by_fft);
            EXPECT_GT(pieces.columns.count() * pieces.rows.count(), 1);
            // make_plan() itself refuses what does not fit: 90 % of the memory.
            EXPECT_NO_THROW((void)make_plan(pieces.plan.problem, small, by_fft)) << describe(pieces);
            EXPECT_EQ(pieces.columns.total, 6000);
            EXPECT_EQ(pieces.rows.total, 4000);
        }
}

TEST(PlanPieces, KeepToTheHostsLimit)
{
    const Problem whole{{40000, 30000}, 3, SampleType::u8, SampleType::u8, {255, 255}, {127, 127}};
    const std::uint64_t everything = plan_pieces(whole, kNvidia, {}).host_bytes();
    for (const std::uint64_t megabytes : {1000, 300, 100}) {
        const Pieces pieces = plan_pieces(whole, kNvidia, {}, megabytes << 20);
        EXPECT_LE(pieces.host_bytes(), megabytes << 20);
        EXPECT_GT(pieces.host_bytes(), megabytes << 19) << "half of it is not used";
        EXPECT_LT(pieces.host_bytes(), everything);
    }
}

TEST(PlanPieces, TheWholeIsOnePieceWhereItFits)
{
    const Problem whole{{640, 480}, 1, SampleType::u8, SampleType::u8, {9, 9}, {4, 4}};
    const Pieces pieces = plan_pieces(whole, kNvidia, {});
    EXPECT_EQ(pieces.columns.count(), 1);
    EXPECT_EQ(pieces.rows.count(), 1);
    // The image, two bands of results, and three pieces with theirs.
    EXPECT_EQ(pieces.host_bytes(), 3 * 640 * 480 + 3 * (648 * 488 + 640 * 480));
}

TEST(PlanPieces, APsfThatNoPieceHoldsIsRefusedWithTheNumbers)
{
    const Problem whole{{3000, 3000}, 1, SampleType::u8, SampleType::u8, {2001, 2001}, {0, 0}};
    try {
        (void)plan_pieces(whole, with_memory(kSmallGpu, 8 << 20), {});
        FAIL();
    } catch (const TooLarge& error) {
        EXPECT_THAT(error.what(), HasSubstr("3000x3000x1 u8>u8 * 2001x2001"));
        EXPECT_THAT(error.what(), HasSubstr("cut into pieces of 500x500"));
        EXPECT_THAT(error.what(), HasSubstr("of device memory in one piece, and may use"));
    }
}

TEST(PlanPieces, LinesLongerThanAnyTransformAreCut)
{
    const Problem whole{{3 << 20, 4}, 1, SampleType::u8, SampleType::u8, {15, 1}, {7, 0}};
    EXPECT_THROW((void)make_plan(whole, kNvidia), TooLarge);
    EXPECT_GT(plan_pieces(whole, kNvidia, {}).columns.count(), 2);
}

TEST(PlanPieces, SpectraWithMoreValuesThanKernelsCountAreCut)
{
    const Problem whole{{11000, 400'000}, 1, SampleType::u8, SampleType::u8, {301, 301}, {150, 150}};
    const DeviceTraits large = with_memory(kNvidia, std::uint64_t{200} << 30U);
    try {
        (void)make_plan(whole, large);
        FAIL();
    } catch (const TooLarge& error) {
        EXPECT_THAT(error.what(), HasSubstr("kernels count 2147483647"));
    }
    const Pieces pieces = plan_pieces(whole, large, {});
    EXPECT_EQ(pieces.columns.count() * pieces.rows.count(), 2);
}

TEST(BandRows, AreTheBandsAndItsHalo)
{
    Problem whole{{8, 20}, 1, SampleType::u8, SampleType::u8, {1, 5}, {0, 2}};
    whole.border = Border::wrap;
    const Pieces pieces{whole, make_plan(piece_problem(whole, {8, 6}), kNvidia), {8, 8}, {20, 6}};
    EXPECT_THAT(band_rows(pieces, 0), testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 18, 19));
    EXPECT_THAT(band_rows(pieces, 1), testing::ElementsAre(4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
    EXPECT_THAT(band_rows(pieces, 3), testing::ElementsAre(0, 1, 12, 13, 14, 15, 16, 17, 18, 19));
    whole.border = Border::zero;
    EXPECT_THAT(band_rows({whole, pieces.plan, pieces.columns, pieces.rows}, 0),
                testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

}  // namespace
}  // namespace clconv::test
