// SPDX-License-Identifier: Apache-2.0
// Lines of which a work-item owns several, side by side (kernels/blocks.cl): tables and order.
//
// Forward, natural order to digit-reversed; back, digit-reversed to natural. Stage s of radices R0, R1, ... splits each
// of its R0 .. R(s-1) blocks in R_s; frequency k = q0 + R0 q1 + R0 R1 q2 + ... ends at place q0 N/R0 + q1 N/(R0 R1) +
// ...
#pragma once

#include "fft/radix.h"

#include <complex>
#include <span>
#include <string>
#include <vector>

namespace clconv {

namespace kernel_text {
#include "../../kernels/lane_stages.cl"
}
/// A line, as an argument of programs for any line.
using LaneStages = kernel_text::lane_stages;

/// Lines side by side: those of rows, and, where vectors have eight floats, of columns and tiles.
inline constexpr int kLanes = 8;
/// Those of columns and tiles where vectors have sixteen floats. docs/decisions/064-sixteen-lanes.md
inline constexpr int kWideLanes = 16;
/// How many lines a work-item may own; 1: work-items share lines.
inline constexpr int kLaneCounts[] = {1, kLanes, kWideLanes};
/// Up to this radix, a work-item's butterflies fit the 32 vector registers of AVX-512.
inline constexpr int kMaxLaneRadix = 8;
/// Up to this one, options may name radices. Butterflies of the larger ones spill registers.
inline constexpr int kMaxForcedLaneRadix = 32;
/// The radices of lines for which no option names radices: those of kernels/general_blocks.cl. Each takes CPUs'
/// compilers 0.3 s. Radix 2 is left out, since only lines of twice an odd number without the factor 3 need it.
inline constexpr int kGeneralLaneRadices[] = {3, 4, 5, 6, 7, 8};
inline constexpr int kMaxLaneStages = MOST_LANE_STAGES;

/// The twiddles of kernels/butterfly.cl's dftR for w = exp(-2 pi i turns / period), as twiddlesR computes them.
[[nodiscard]] std::vector<std::complex<double>> butterfly_twiddles(int radix, long long turns, long long period,
                                                                   Butterflies butterflies = Butterflies::embedded);

/// All stages' tables, one after another. Forward has a set for each block of the stages 1, 2, ...; back has a set for
/// each butterfly.
[[nodiscard]] std::vector<std::complex<double>> lane_forward_twiddles(std::span<const int> radices,
                                                                      Butterflies butterflies = Butterflies::embedded);
[[nodiscard]] std::vector<std::complex<double>> lane_back_twiddles(std::span<const int> radices,
                                                                   Butterflies butterflies = Butterflies::embedded);

/// The place of each frequency after the forward transform.
[[nodiscard]] std::vector<unsigned> lane_places(std::span<const int> radices);

/// Twiddles of the step that joins eight lines of `length` values: [length / 8][l - 1][re, im][eight k], of
/// exp(-2 pi i l k / (8 length)).
[[nodiscard]] std::vector<double> joint_twiddles(int length);

/// The radices of a row's eight lines: all but the last, which is the step across the lanes.
[[nodiscard]] std::span<const int> lane_row_radices(std::span<const int> radices);

/// The values of a line that kernels/general_blocks.cl needs.
[[nodiscard]] LaneStages lane_stages_of(std::span<const int> radices);

/// The defines of kernels/lane_line.cl for `lanes` lines side by side: of these radices, or any of kGeneralLaneRadices.
[[nodiscard]] std::string lane_defines(std::span<const int> radices, Butterflies butterflies = Butterflies::embedded,
                                       int lanes = kLanes);
[[nodiscard]] std::string general_lane_defines(int lanes = kLanes);

}  // namespace clconv
