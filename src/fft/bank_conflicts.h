// SPDX-License-Identifier: Apache-2.0
// How local memory's banks serve one exchange between two stages, and the best padding for it.
//
// Model: 32 banks of 4 bytes; 32 neighbouring work-items access at once (16 at a time for 8-byte cells); accesses to
// different words of one bank wait for each other. This is right for every GPU of the last fifteen years. On other
// devices, padding costs a little memory.
#pragma once

namespace clconv {

/// From the outputs of a stage (radix, stride) to the inputs of the next (next_radix), work-items interleaved by line.
struct Exchange {
    int length = 0;
    int radix = 0;
    int stride = 1;
    int next_radix = 0;
    int items = 1;  ///< work-items a line
    int lines = 1;  ///< in the work-group; work-item i belongs to line i mod lines
    int cell_bytes = 8;
};

/// Cycles that one write and one read of the exchange take on average, with `pad` unused cells after each block of
/// stride * radix: 2 is perfect (one each).
[[nodiscard]] double bank_cycles(const Exchange& exchange, int pad);

/// A layout with `pad` unused cells after each `block`.
struct PaddedBlocks {
    int block = 1;
    int pad = 0;
};
/// The cell of a position in it.
[[nodiscard]] constexpr int padded(int position, PaddedBlocks blocks)
{
    return position + position / blocks.block * blocks.pad;
}

/// Average cycles of one access to all values of a stage in place; 1 is perfect. `stride` is the distance of a
/// butterfly's values.
[[nodiscard]] double in_place_cycles(const Exchange& stage, PaddedBlocks blocks);

inline constexpr int kMaxPad = 16;

/// The pad in 0 .. 16 with the fewest cycles, the smallest among equals.
[[nodiscard]] int best_pad(const Exchange& exchange);

}  // namespace clconv
