// SPDX-License-Identifier: Apache-2.0
// The formulas of Stockham's order, by running whole transforms with them on the host.

#include "fft/stage_index.h"

#include "fft/reference_dft.h"
#include "fft/twiddles.h"
#include "support/complex_lines.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace clconv::test {
namespace {

using Line = std::vector<std::complex<double>>;

const std::vector<std::vector<int>> kStageSequences = {
    {2}, {7}, {2, 2, 2}, {8, 3}, {3, 8}, {5, 2, 3}, {4, 4, 4}, {9, 2}, {13, 3, 2}, {16, 12},
};

/// One transform, stage by stage, with butterflies by their definition.
Line stockham(Line line, const std::vector<int>& radices)
{
    const int n = static_cast<int>(line.size());
    int stride = 1;
    for (const int radix : radices) {
        Line next(n);
        for (int j = 0; j < n / radix; ++j) {
            Line values;
            for (int m = 0; m < radix; ++m)
                values.push_back(line[stage_input(n, radix, j, m)] *
                                 root_of_unity(1LL * m * (j % stride), 1LL * stride * radix));
            const Line outputs = reference_dft(values, Direction::forward);
            for (int q = 0; q < radix; ++q) next[stage_output(radix, stride, j, q)] = outputs[q];
        }
        line = next;
        stride *= radix;
    }
    return line;
}

TEST(StageIndex, TheStagesTogetherAreTheTransform)
{
    for (const auto& radices : kStageSequences) {
        const int n = std::accumulate(radices.begin(), radices.end(), 1, std::multiplies<>());
        const Line line = random_line(n, 1);
        EXPECT_LE(distance<double>(stockham(line, radices), reference_dft(line, Direction::forward)), 1e-13) << n;
    }
}

TEST(StageIndex, EveryStageReadsAndWritesEveryPositionOnce)
{
    for (const auto& radices : kStageSequences) {
        const int n = std::accumulate(radices.begin(), radices.end(), 1, std::multiplies<>());
        int stride = 1;
        for (const int radix : radices) {
            std::set<int> inputs, outputs;
            for (int j = 0; j < n / radix; ++j)
                for (int m = 0; m < radix; ++m) {
                    inputs.insert(stage_input(n, radix, j, m));
                    outputs.insert(stage_output(radix, stride, j, m));
                }
            EXPECT_EQ(inputs.size(), static_cast<std::size_t>(n));
            EXPECT_EQ(outputs, inputs);
            EXPECT_EQ(*outputs.rbegin(), n - 1);
            stride *= radix;
        }
    }
}

TEST(StageIndex, TheExampleOfTheHeaderHolds)
{
    EXPECT_EQ(stage_input(8, 2, 1, 0), 1);
    EXPECT_EQ(stage_input(8, 2, 1, 1), 5);
    EXPECT_EQ(stage_output(2, 2, 1, 0), 1);
    EXPECT_EQ(stage_output(2, 2, 1, 1), 3);
    EXPECT_EQ(stage_output(2, 2, 2, 0), 4);
    EXPECT_EQ(stage_output(2, 2, 2, 1), 6);
}

/// Positions of the outputs of one butterfly of the last stage.
std::set<int> last_outputs(int length, int radix, int butterfly)
{
    std::set<int> outputs;
    for (int q = 0; q < radix; ++q) outputs.insert(stage_output(radix, length / radix, butterfly, q));
    return outputs;
}

TEST(StageIndex, APairHoldsEachFrequencyTogetherWithItsMirrorImage)
{
    for (int radix = 2; radix <= 9; ++radix)
        for (int butterflies = 1; butterflies <= 12; ++butterflies) {
            const int n = radix * butterflies;
            for (int pair = 0; pair < pair_count(n, radix); ++pair) {
                std::set<int> held = last_outputs(n, radix, pair);
                held.merge(last_outputs(n, radix, pair_partner(n, radix, pair)));
                for (const int k : held) EXPECT_TRUE(held.contains((n - k) % n)) << n << "/" << radix << ":" << k;
            }
        }
}

TEST(StageIndex, ThePairsHoldEveryButterflyOnce)
{
    for (int butterflies = 1; butterflies <= 30; ++butterflies) {
        const int n = 4 * butterflies;
        std::multiset<int> held;
        for (int pair = 0; pair < pair_count(n, 4); ++pair) {
            held.insert(pair);
            if (pair_partner(n, 4, pair) != pair) held.insert(pair_partner(n, 4, pair));
        }
        std::multiset<int> all;
        for (int j = 0; j < butterflies; ++j) all.insert(j);
        EXPECT_EQ(held, all) << butterflies;
    }
}

}  // namespace
}  // namespace clconv::test
