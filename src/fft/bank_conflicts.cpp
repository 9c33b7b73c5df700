// SPDX-License-Identifier: Apache-2.0
#include "fft/bank_conflicts.h"

#include "fft/stage_index.h"

#include <algorithm>
#include <array>

namespace clconv {
namespace {

constexpr int kBanks = 32;
constexpr int kWarp = 32;
constexpr int kWarpsLookedAt = 4;  // later warps repeat the pattern

/// Sums the cycles of one kind of access, `cell(butterfly, value)`, over the first warps. The cells of one access
/// differ, so none is served together with another: an access takes as many cycles as its fullest bank has words.
template <class Cell>
double sweep(const Exchange& e, int butterflies, int radix, int line_cells, Cell cell)
{
    const int words = e.cell_bytes / 4;
    const int at_once = kWarp / words;
    double sum = 0;
    int accesses = 0;
    const int group = std::min(e.items * e.lines, kWarp * kWarpsLookedAt);
    for (int first = 0; first < group; first += at_once)
        for (int value = 0; value < radix; ++value) {
            std::array<int, kBanks> load{};
            int cycles = 0;
            for (int item = first; item < std::min(first + at_once, group); ++item) {
                const int butterfly = item / e.lines;
                if (butterfly >= butterflies) continue;
                const int word = (item % e.lines * line_cells + cell(butterfly, value)) * words;
                for (int w = 0; w < words; ++w) cycles = std::max(cycles, ++load[(word + w) % kBanks]);
            }
            if (cycles == 0) continue;
            sum += cycles;
            ++accesses;
        }
    return accesses ? sum / accesses : 0;
}

}  // namespace

double bank_cycles(const Exchange& e, int pad)
{
    const int block = e.stride * e.radix;
    const int line_cells = e.length / block * (block + pad);
    const auto padded = [&](int position) { return position / block * (block + pad) + position % block; };
    const double put = sweep(e, e.length / e.radix, e.radix, line_cells,
                             [&](int j, int q) { return padded(j / e.stride * block + j % e.stride + q * e.stride); });
    const double take = sweep(e, e.length / e.next_radix, e.next_radix, line_cells,
                              [&](int j, int m) { return padded(j + m * (e.length / e.next_radix)); });
    return put + take;
}

double in_place_cycles(const Exchange& e, PaddedBlocks blocks)
{
    return sweep(e, e.length / e.radix, e.radix, padded(e.length, blocks),
                 [&](int j, int m) { return padded(in_place_position(e.radix, e.stride, j, m), blocks); });
}

int best_pad(const Exchange& exchange)
{
    int best = 0;
    double minimum = bank_cycles(exchange, 0);
    constexpr double perfect = 2;  // one cycle for the write and one for the read
    for (int pad = 1; pad <= kMaxPad && minimum > perfect; ++pad) {
        const double now = bank_cycles(exchange, pad);
        if (now < minimum - 1e-9) {
            best = pad;
            minimum = now;
        }
    }
    return best;
}

}  // namespace clconv
