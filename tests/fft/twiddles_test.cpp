// SPDX-License-Identifier: Apache-2.0
// Roots of unity and the tables that kernels read, against std::polar in long double.

#include "fft/twiddles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace clconv::test {
namespace {

std::complex<long double> exact_root(long long k, long long n)
{
    const long long reduced = ((k % n) + n) % n;
    return std::polar(
        1.0L, -2 * std::numbers::pi_v<long double> * static_cast<long double>(reduced) / static_cast<long double>(n));
}

TEST(Twiddles, RootsAreRightToTheLastBitsOfDouble)
{
    // The angle is rounded once and sine or cosine once: an error of one spacing of 1 (2^-52) is generous.
    for (const long long n : {1LL, 2LL, 3LL, 7LL, 8LL, 64LL, 360LL, 4095LL, 65536LL})
        for (long long k = 0; k < n; k += 1 + n / 500) {
            const std::complex<double> root = root_of_unity(k, n);
            const std::complex<long double> exact = exact_root(k, n);
            ASSERT_NEAR(root.real(), static_cast<double>(exact.real()), 0x1p-52) << k << "/" << n;
            ASSERT_NEAR(root.imag(), static_cast<double>(exact.imag()), 0x1p-52) << k << "/" << n;
        }
}

TEST(Twiddles, QuartersOfTheCircleAreExact)
{
    EXPECT_EQ(root_of_unity(0, 12), std::complex<double>(1, 0));
    EXPECT_EQ(root_of_unity(3, 12), std::complex<double>(0, -1));
    EXPECT_EQ(root_of_unity(6, 12), std::complex<double>(-1, 0));
    EXPECT_EQ(root_of_unity(9, 12), std::complex<double>(0, 1));
}

TEST(Twiddles, TheErrorDoesNotGrowWithTheIndex)
{
    EXPECT_EQ(root_of_unity(5 + 1000000007LL * 9, 9), root_of_unity(5, 9));
    EXPECT_EQ(root_of_unity(-4, 9), root_of_unity(5, 9));
}

TEST(Twiddles, TheTablesOfAllStagesFollowOneAnother)
{
    const std::vector<int> radices{4, 64, 3};
    EXPECT_EQ(twiddle_offsets(radices), (std::vector<int>{0, 1, 1 + 4 * 64}));
    EXPECT_EQ(twiddle_tables(radices).size(), 1u + 4u * 64u + 256u);
}

TEST(Twiddles, AnEntryIsTheRootOfItsStagesBlockRoundedOnce)
{
    const std::vector<int> radices{4, 64, 3};
    const auto tables = twiddle_tables(radices);
    const auto offsets = twiddle_offsets(radices);
    int block = 1;
    for (std::size_t s = 0; s < radices.size(); ++s) {
        const int entries = twiddle_entries(*supported_radix(radices[s]), block);
        block *= radices[s];
        for (int k = 0; k < entries; ++k) {
            const std::complex<double> entry = tables[offsets[s] + k];
            const std::complex<long double> exact = exact_root(k, block);
            // The angle and its cosine are rounded, each by half a spacing at most.
            EXPECT_NEAR(entry.real(), static_cast<double>(exact.real()), 0x1p-52) << s << ":" << k;
            EXPECT_NEAR(entry.imag(), static_cast<double>(exact.imag()), 0x1p-52) << s << ":" << k;
        }
    }
}

TEST(DigitReversed, TakesThePlaceOfAFrequencyToTheFrequency)
{
    const std::vector<int> radices{3, 4, 2};
    for (int q0 = 0; q0 < 3; ++q0)
        for (int q1 = 0; q1 < 4; ++q1)
            for (int q2 = 0; q2 < 2; ++q2)
                EXPECT_EQ(digit_reversed(q0 * 8 + q1 * 2 + q2, radices), q0 + 3 * q1 + 12 * q2);
}

TEST(InPlaceTwiddleTables, HoldATwiddleABlock)
{
    const std::vector<int> radices{3, 4, 2};
    const auto tables = in_place_twiddle_tables(radices);
    ASSERT_EQ(tables.size(), twiddle_tables(radices).size());
    const auto offsets = twiddle_offsets(radices);
    for (int block = 0; block < 12; ++block) {
        const auto wanted = root_of_unity(block / 4 + 3 * (block % 4), 24);
        EXPECT_NEAR(std::abs(std::complex<double>(tables[offsets[2] + block]) - wanted), 0, 1e-7) << block;
    }
}

}  // namespace
}  // namespace clconv::test
