// Lines that a work-item owns whole, eight side by side (kernels/blocks.cl): tables and order.
//
// Forward, natural order to digit-reversed; back, digit-reversed to natural. Level s of radices R0, R1, ... splits each
// of its R0 .. R(s-1) blocks in R_s; frequency k = q0 + R0 q1 + R0 R1 q2 + ... ends at place q0 N/R0 + q1 N/(R0 R1) +
// ...
#pragma once

#include "fft/radix.h"

#include <complex>
#include <span>
#include <string>
#include <vector>

namespace clconv {

inline constexpr int kLanes = 8;
/// A work-item's butterflies stay in the 32 vector registers of AVX-512 up to here.
inline constexpr int kMaxLaneRadix = 8;
inline constexpr int kMaxLaneLevels = 6;

/// The twiddles that kernels/butterfly.cl's dftR takes for w = exp(-2 pi i turns / period): what twiddlesR computes.
[[nodiscard]] std::vector<std::complex<double>> butterfly_twiddles(int radix, long long turns, long long period,
                                                                   Butterflies butterflies = Butterflies::embedded);

/// All levels' tables, one after another: forward, a set a block of the levels 1, 2, ...; back, a set a butterfly.
[[nodiscard]] std::vector<std::complex<double>> lane_forward_twiddles(std::span<const int> radices,
                                                                      Butterflies butterflies = Butterflies::embedded);
[[nodiscard]] std::vector<std::complex<double>> lane_back_twiddles(std::span<const int> radices,
                                                                   Butterflies butterflies = Butterflies::embedded);

/// The place of each frequency after the forward transform.
[[nodiscard]] std::vector<unsigned> lane_places(std::span<const int> radices);

/// Twiddles of the step that joins eight lines of `length` values: [length / 8][l - 1][re, im][eight k], of
/// exp(-2 pi i l k / (8 length)).
[[nodiscard]] std::vector<double> joint_twiddles(int length);

/// The defines of kernels/blocks.cl.
[[nodiscard]] std::string lane_defines(std::span<const int> radices, Butterflies butterflies = Butterflies::embedded);

}  // namespace clconv
