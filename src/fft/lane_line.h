// Lines that a work-item owns whole, eight side by side (kernels/blocks.cl): tables and order.
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
/// A line as programs for any line take it.
using LaneStages = kernel_text::lane_stages;

inline constexpr int kLanes = 8;
/// A work-item's butterflies stay in the 32 vector registers of AVX-512 up to here.
inline constexpr int kMaxLaneRadix = 8;
/// The radices of lines whose radices nobody asked for: those that kernels/general_blocks.cl knows. Each takes CPUs'
/// compilers 0.3 s, so 2 is left out, which only makes lines of twice an odd number without 3.
inline constexpr int kGeneralLaneRadices[] = {3, 4, 5, 6, 7, 8};
inline constexpr int kMaxLaneStages = MOST_LANE_STAGES;

/// The twiddles that kernels/butterfly.cl's dftR takes for w = exp(-2 pi i turns / period): what twiddlesR computes.
[[nodiscard]] std::vector<std::complex<double>> butterfly_twiddles(int radix, long long turns, long long period,
                                                                   Butterflies butterflies = Butterflies::embedded);

/// All stages' tables, one after another: forward, a set a block of the stages 1, 2, ...; back, a set a butterfly.
[[nodiscard]] std::vector<std::complex<double>> lane_forward_twiddles(std::span<const int> radices,
                                                                      Butterflies butterflies = Butterflies::embedded);
[[nodiscard]] std::vector<std::complex<double>> lane_back_twiddles(std::span<const int> radices,
                                                                   Butterflies butterflies = Butterflies::embedded);

/// The place of each frequency after the forward transform.
[[nodiscard]] std::vector<unsigned> lane_places(std::span<const int> radices);

/// Twiddles of the step that joins eight lines of `length` values: [length / 8][l - 1][re, im][eight k], of
/// exp(-2 pi i l k / (8 length)).
[[nodiscard]] std::vector<double> joint_twiddles(int length);

/// The radices of a row that are its eight lines' own: all but the last, the step across the lanes.
[[nodiscard]] std::span<const int> lane_row_radices(std::span<const int> radices);

/// What kernels/general_blocks.cl needs to know of a line.
[[nodiscard]] LaneStages lane_stages_of(std::span<const int> radices);

/// The defines of kernels/lane_line.cl for lines of these radices, and for any lines of kGeneralLaneRadices.
[[nodiscard]] std::string lane_defines(std::span<const int> radices, Butterflies butterflies = Butterflies::embedded);
[[nodiscard]] std::string general_lane_defines();

}  // namespace clconv
