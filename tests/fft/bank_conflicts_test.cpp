// SPDX-License-Identifier: Apache-2.0
// The bank model on exchanges whose conflicts are known by hand.

#include "fft/bank_conflicts.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

TEST(BankConflicts, AStrideOfThirtyTwoCellsServesOneWorkItemAtATime)
{
    // Radix 32, first stage: work-item j writes output q at 32 j + q: all in one bank. The reads are in order.
    const Exchange exchange{.length = 1024, .radix = 32, .stride = 1, .next_radix = 32, .items = 32, .cell_bytes = 4};
    EXPECT_DOUBLE_EQ(bank_cycles(exchange, 0), 32 + 1);
}

TEST(BankConflicts, OneUnusedCellABlockAvoidsThem)
{
    const Exchange exchange{.length = 1024, .radix = 32, .stride = 1, .next_radix = 32, .items = 32, .cell_bytes = 4};
    EXPECT_DOUBLE_EQ(bank_cycles(exchange, 1), 2);
    EXPECT_EQ(best_pad(exchange), 1);
}

TEST(BankConflicts, AnOddRadixNeedsNoPad)
{
    const Exchange exchange{.length = 1001, .radix = 11, .stride = 1, .next_radix = 13, .items = 77, .cell_bytes = 4};
    EXPECT_DOUBLE_EQ(bank_cycles(exchange, 0), 2);
    EXPECT_EQ(best_pad(exchange), 0);
}

TEST(BankConflicts, WholeComplexCellsFillBothWordsOfABank)
{
    // Sixteen work-items of eight bytes at a time; 16 j cells is 32 j words: one bank pair for all sixteen.
    const Exchange exchange{.length = 256, .radix = 16, .stride = 1, .next_radix = 16, .items = 16, .cell_bytes = 8};
    EXPECT_DOUBLE_EQ(bank_cycles(exchange, 0), 16 + 1);
    EXPECT_DOUBLE_EQ(bank_cycles(exchange, best_pad(exchange)), 2);
}

TEST(BankConflicts, ThePadChosenIsTheBestOfAllOfThem)
{
    for (const int radix : {2, 4, 6, 8, 16})
        for (const int stride : {1, 4, 12})
            for (const int lines : {1, 2, 4}) {
                const Exchange exchange{.length = radix * stride * 8,
                                        .radix = radix,
                                        .stride = stride,
                                        .next_radix = 8,
                                        .items = 16,
                                        .lines = lines,
                                        .cell_bytes = 8};
                const double best = bank_cycles(exchange, best_pad(exchange));
                for (int pad = 0; pad <= 16; ++pad) EXPECT_LE(best, bank_cycles(exchange, pad) + 1e-9);
            }
}

}  // namespace
}  // namespace clconv::test
