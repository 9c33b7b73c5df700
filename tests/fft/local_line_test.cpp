// SPDX-License-Identifier: Apache-2.0
// Shapes of work-groups: they fit the device, and their defines are those that kernels/line.cl reads.

#include "fft/local_line.h"

#include "fft/stage_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace clconv::test {
namespace {

using testing::HasSubstr;

const std::vector<std::vector<int>> kSequences = {
    {2},
    {7},
    {13, 13},
    {16, 16, 16},
    {32, 32},
    {9, 7, 11},
    {8, 24, 12},
    {5, 3, 2, 2},
    {32, 3},
    {4, 4},
    {13, 2},
    {16, 10, 16},
    {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
};

int length_of(const std::vector<int>& radices)
{
    return std::accumulate(radices.begin(), radices.end(), 1, std::multiplies<>());
}

std::uint64_t bytes(const LocalLine& line, int lines) { return line.cells * cell_bytes(line) * lines; }

/// Values that the busiest work-item needs for one stage.
int values_of_stage(int length, int radix, int items, bool paired)
{
    const int units = paired ? pair_count(length, radix) : length / radix;
    return (units + items - 1) / items * (paired ? 2 : 1) * radix;
}

TEST(LocalLine, FitsEveryLimitItIsGiven)
{
    for (const auto& radices : kSequences)
        for (const bool paired : {false, true})
            for (const int lines : {1, 2, 4})
                for (const auto& [memory, group] : {std::pair{32768ull, 256}, {49152ull, 512}, {1048576ull, 4096}}) {
                    const LocalLineRequest request{.radices = radices,
                                                   .paired_last = paired,
                                                   .lines = lines,
                                                   .local_memory = memory,
                                                   .max_group = group};
                    const auto line = local_line(request);
                    if (!line) continue;
                    EXPECT_LE(bytes(*line, lines), memory);
                    EXPECT_LE(line->items * lines, group);
                    EXPECT_LE(line->values, 64);
                    EXPECT_GE(line->cells, length_of(radices));
                }
}

TEST(LocalLine, HasRegistersForTheBusiestWorkItemOfEveryStage)
{
    for (const auto& radices : kSequences)
        for (const bool paired : {false, true}) {
            const auto line = local_line({.radices = radices, .paired_last = paired});
            ASSERT_TRUE(line);
            int maximum = 0;
            for (std::size_t s = 0; s < radices.size(); ++s)
                maximum = std::max(maximum, values_of_stage(length_of(radices), radices[s], line->items,
                                                            paired && s + 1 == radices.size()));
            EXPECT_EQ(line->values, maximum);
        }
}

TEST(LocalLine, NoWorkItemIsIdleWhereTheRadicesAllowIt)
{
    // Sixteen groups of sixteen: every count of butterflies is 256, and 256 work-items share them evenly.
    const auto line = local_line({.radices = {16, 16, 16}, .local_memory = 65536});
    ASSERT_TRUE(line);
    EXPECT_EQ(line->items, 256);
    EXPECT_EQ(line->values, 16);
}

TEST(LocalLine, IsSplitWhereMemoryIsShort)
{
    LocalLineRequest request{.radices = {16, 16, 16}, .local_memory = 4096 * 8, .banks = false};
    EXPECT_EQ(local_line(request)->exchange, ExchangeForm::whole);
    request.local_memory = 4096 * 8 - 1;
    EXPECT_EQ(local_line(request)->exchange, ExchangeForm::split);
}

TEST(LocalLine, GoesWithoutPadsBeforeItIsSplitOrRefused)
{
    LocalLineRequest request{.radices = {16, 16, 16}, .local_memory = 4096 * 8};
    const auto line = local_line(request);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->exchange, ExchangeForm::whole);
    EXPECT_THAT(line->pads, testing::Each(0));
    request.local_memory = 4096 * 4;
    EXPECT_TRUE(local_line(request));
    request.local_memory = 4096 * 4 - 1;
    EXPECT_FALSE(local_line(request));
}

TEST(LocalLine, PingPongNeedsTwiceTheMemory)
{
    LocalLineRequest request{.radices = {16, 16, 16}, .local_memory = 4096 * 16};
    request.exchange = ExchangeForm::ping_pong;
    const auto line = local_line(request);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->cells, 2 * 4096);  // without pads: those of both buffers do not fit
    EXPECT_THAT(line_defines(request.radices, *line, false), HasSubstr("#define SECOND_BUFFER 4096\n"));
    request.local_memory = 4096 * 16 - 1;
    EXPECT_FALSE(local_line(request));
}

TEST(LocalLine, AGivenPadIsKeptOrThereIsNoShape)
{
    LocalLineRequest request{.radices = {16, 16, 16}, .local_memory = (4096 + 256 * 3) * 8, .pad = 3};
    const auto line = local_line(request);
    ASSERT_TRUE(line);
    EXPECT_THAT(line->pads, testing::Each(3));
    EXPECT_THAT(line->back_pads, testing::Each(3));
    EXPECT_EQ(line->cells, 4096 + 256 * 3);  // the first exchange: blocks of 16 cells
    request.local_memory = (4096 + 256 * 3) * 4 - 1;
    EXPECT_FALSE(local_line(request));
}

TEST(LocalLine, ThereIsNoneIfAWorkItemWouldHoldTooMuch)
{
    // 4096 values and 32 work-items are 128 values each.
    LocalLineRequest request{.radices = {16, 16, 16}, .max_group = 32, .max_values = 128};
    EXPECT_TRUE(local_line(request));
    request.max_values = 127;
    EXPECT_FALSE(local_line(request));
}

TEST(LocalLine, ThereIsNoneForMoreStagesThanAKernelHas)
{
    EXPECT_TRUE(local_line({.radices = std::vector<int>(kMaxLocalStages, 2), .local_memory = 65536}));
    EXPECT_FALSE(local_line({.radices = std::vector<int>(kMaxLocalStages + 1, 2), .local_memory = 1 << 20}));
}

TEST(LocalLine, AnEmptySequenceHasNone) { EXPECT_FALSE(local_line({.radices = {}})); }

TEST(LocalLine, ADeviceWithoutBanksGetsNoPads)
{
    const auto line = local_line({.radices = {16, 16}, .banks = false});
    ASSERT_TRUE(line);
    EXPECT_EQ(line->cells, 256);
    EXPECT_THAT(line->pads, testing::ElementsAre(0));
    EXPECT_THAT(line->back_pads, testing::ElementsAre(0));
}

TEST(LocalLine, ThereIsAPadForEveryExchangeOfBothDirections)
{
    for (const auto& radices : kSequences) {
        const auto line = local_line({.radices = radices});
        ASSERT_TRUE(line);
        EXPECT_EQ(line->pads.size(), radices.size() - 1);
        EXPECT_EQ(line->back_pads.size(), radices.size() - 1);
    }
}

TEST(LocalLine, TheCellsHoldTheLargestPaddedExchange)
{
    for (const auto& radices : kSequences) {
        const auto line = local_line({.radices = radices});
        ASSERT_TRUE(line);
        const int length = length_of(radices);
        const std::vector<int> reversed(radices.rbegin(), radices.rend());
        int maximum = length;
        for (const auto& [order, pads] : {std::pair{radices, line->pads}, {reversed, line->back_pads}})
            for (std::size_t s = 0; s + 1 < order.size(); ++s) {
                const int block = strides_of(order)[s] * order[s];
                maximum = std::max(maximum, length / block * (block + pads[s]));
            }
        EXPECT_EQ(line->cells, maximum);
    }
}

TEST(LocalLine, StridesAreTheProductsOfTheRadicesBefore)
{
    EXPECT_THAT(strides_of({8, 24, 12}), testing::ElementsAre(1, 8, 192));
    EXPECT_THAT(strides_of({13}), testing::ElementsAre(1));
}

TEST(LineDefines, NameStridesAndTablesOfBothDirections)
{
    // Forward 4, 3, 2: strides 1, 4, 12, tables of 1, 4 and 12 entries. Reversed 2, 3, 4: strides 1, 2, 6 for the
    // radices 2, 3, 4, tables of 1, 2 and 6 entries.
    const auto line = local_line({.radices = {4, 3, 2}, .banks = false});
    ASSERT_TRUE(line);
    const std::string text = line_defines({4, 3, 2}, *line, true);
    for (const char* define :
         {"#define N 24\n",   "#define STAGES 3\n",    "#define LAST_STAGE 2\n", "#define PAIRED_LAST 1\n",
          "#define R0 4\n",   "#define R1 3\n",        "#define R2 2\n",         "#define S0 1\n",
          "#define S1 4\n",   "#define S2 12\n",       "#define W0 0\n",         "#define W1 1\n",
          "#define W2 5\n",   "#define B2 1\n",        "#define B1 2\n",         "#define B0 6\n",
          "#define V2 0\n",   "#define V1 1\n",        "#define V0 3\n",         "#define PAD1 0\n",
          "#define PAD2 0\n", "#define BACK_PAD1 0\n", "#define BACK_PAD0 0\n"})
        EXPECT_THAT(text, HasSubstr(define));
    EXPECT_THAT(text, Not(HasSubstr(" PAD0 ")));
    EXPECT_THAT(text, Not(HasSubstr("BACK_PAD2")));
}

}  // namespace
}  // namespace clconv::test
