// SPDX-License-Identifier: Apache-2.0
// Which values a butterfly reads and where it writes them: Stockham's autosort order, with input and output in natural
// order.
//
// A line of N values passes through its stages; `stride` is the product of the radices of the earlier stages.
// kernels/stage.cl holds the same formulas for the device, and tests/device compares the two.
//
//     butterfly j of a stage of radix R takes values       j + m N/R                                0 <= m < R
//     multiplies value m by                                exp(-2 pi i m (j mod stride) / (stride R))
//     and leaves output q at                               (j / stride) stride R + j mod stride + q stride
//
// Example, N = 8, R = 2, stride = 2: butterfly 1 takes 1 and 5, and leaves its outputs at 1 and 3; butterfly 2
// takes 2 and 6 and leaves them at 4 and 6.
#pragma once

namespace clconv {

[[nodiscard]] constexpr int stage_input(int length, int radix, int butterfly, int m)
{
    return butterfly + m * (length / radix);
}

[[nodiscard]] constexpr int stage_output(int radix, int stride, int butterfly, int q)
{
    return butterfly / stride * stride * radix + butterfly % stride + q * stride;
}

/// The same for a transform in place. Butterfly j of a stage reads value m from this position and writes output m to
/// it. `step` is the distance of its values: the length over the product of the radices up to this one. After the last
/// stage of radices R0, R1, ... frequency q0 + R0 q1 + R0 R1 q2 + ... lies at q0 N/R0 + q1 N/(R0 R1) + ...
[[nodiscard]] constexpr int in_place_position(int radix, int step, int butterfly, int m)
{
    return butterfly / step * step * radix + butterfly % step + m * step;
}

/// The row passes give a work-item two butterflies of the last stage whose outputs pair as k and N - k. So the spectra
/// of two packed real rows are split in registers. Pair p is the butterflies p and pair_partner(p), 0 <= p <
/// pair_count; butterfly 0 goes with N/(2R), which is also its own mirror image. If N/R is odd, it is its own partner.
[[nodiscard]] constexpr int pair_count(int length, int radix) { return (length / radix + 1) / 2; }

[[nodiscard]] constexpr int pair_partner(int length, int radix, int pair)
{
    const int butterflies = length / radix;
    if (pair > 0) return butterflies - pair;
    return butterflies % 2 == 0 ? butterflies / 2 : 0;
}

}  // namespace clconv
