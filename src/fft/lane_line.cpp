// SPDX-License-Identifier: Apache-2.0
#include "fft/lane_line.h"

#include "fft/factorize.h"
#include "fft/twiddles.h"

#include <fmt/format.h>

namespace clconv {
namespace {

void append(std::vector<std::complex<double>>& table, const std::vector<std::complex<double>>& set)
{
    table.insert(table.end(), set.begin(), set.end());
}

}  // namespace

std::vector<std::complex<double>> butterfly_twiddles(int radix, long long turns, long long period,
                                                     Butterflies butterflies)
{
    std::vector<std::complex<double>> set;
    if (radix % 2 == 1 || butterflies == Butterflies::direct) {
        for (int m = 1; m < radix; ++m) set.push_back(root_of_unity(m * turns, period));
        return set;
    }
    const int steps = radix % 4 ? radix / 2 : radix / 4;
    for (int q = 0; q < steps; ++q) set.push_back(root_of_unity(turns * radix + q * period, period * radix));
    if (radix > 2) {
        const auto half = butterfly_twiddles(radix / 2, 2 * turns, period, butterflies);
        set.insert(set.end(), half.begin(), half.end());
    }
    return set;
}

std::vector<std::complex<double>> lane_forward_twiddles(std::span<const int> radices, Butterflies butterflies)
{
    std::vector<std::complex<double>> table;
    long long blocks = 1;
    for (std::size_t s = 1; s < radices.size(); ++s) {
        blocks *= radices[s - 1];
        for (long long b = 0; b < blocks; ++b)
            append(table, butterfly_twiddles(radices[s], digit_reversed(b, radices.first(s)), blocks * radices[s],
                                             butterflies));
    }
    return table;
}

std::vector<std::complex<double>> lane_back_twiddles(std::span<const int> radices, Butterflies butterflies)
{
    std::vector<std::complex<double>> table;
    int block = line_length(radices);
    for (const int radix : radices) {
        for (int j = 0; j < block / radix; ++j) append(table, butterfly_twiddles(radix, j, block, butterflies));
        block /= radix;
    }
    return table;
}

std::vector<unsigned> lane_places(std::span<const int> radices)
{
    const int length = line_length(radices);
    std::vector<unsigned> places(length);
    for (int place = 0; place < length; ++place) places[digit_reversed(place, radices)] = static_cast<unsigned>(place);
    return places;
}

std::vector<double> joint_twiddles(int length)
{
    std::vector<double> table;
    for (int k = 0; k < length; k += kLanes)
        for (long long l = 1; l < kLanes; ++l)
            for (const bool imaginary : {false, true})
                for (int i = 0; i < kLanes; ++i) {
                    const std::complex<double> w = root_of_unity(l * (k + i), static_cast<long long>(kLanes) * length);
                    table.push_back(imaginary ? w.imag() : w.real());
                }
    return table;
}

std::span<const int> lane_row_radices(std::span<const int> radices) { return radices.first(radices.size() - 1); }

LaneStages lane_stages_of(std::span<const int> radices)
{
    LaneStages stages{};
    stages.length = line_length(radices);
    stages.count = static_cast<int>(radices.size());
    int before = 1;
    int forward = 0;
    int back = 0;
    for (std::size_t s = 0; s < radices.size(); ++s) {
        const int radix = radices[s];
        const int step = stages.length / (before * radix);
        const int set = static_cast<int>(butterfly_twiddles(radix, 0, 1).size());
        stages.radix[s] = radix;
        stages.step[s] = step;
        stages.set[s] = set;
        stages.forward[s] = forward;
        stages.back[s] = back;
        if (s > 0) forward += set * before;
        back += set * step;
        before *= radix;
    }
    return stages;
}

std::string lane_defines(std::span<const int> radices, Butterflies butterflies, int lanes)
{
    const int length = line_length(radices);
    std::string text = fmt::format("#define LANES {}\n#define GENERAL 0\n#define N {}\n#define STAGES {}\n", lanes,
                                   length, radices.size());
    std::vector<int> all(radices.begin(), radices.end());
    all.push_back(kLanes);  // the last stage of a row: across the lanes
    text += butterfly_defines(butterflies, all);
    int before = 1;
    std::size_t forward = 0;
    std::size_t back = 0;
    for (std::size_t s = 0; s < radices.size(); ++s) {
        const int radix = radices[s];
        const int step = length / (before * radix);
        text += fmt::format("#define R{} {}\n#define STEP{} {}\n#define FT{} {}\n#define BT{} {}\n", s, radix, s, step,
                            s, forward, s, back);
        const std::size_t set = butterfly_twiddles(radix, 0, 1, butterflies).size();
        if (s > 0) forward += set * before;
        back += set * step;
        before *= radix;
    }
    return text;
}

std::string general_lane_defines(int lanes)
{
    return fmt::format("#define LANES {}\n#define GENERAL 1\n", lanes) +
           butterfly_defines(Butterflies::embedded, kGeneralLaneRadices);
}

}  // namespace clconv
