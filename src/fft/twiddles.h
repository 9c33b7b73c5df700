// SPDX-License-Identifier: Apache-2.0
// Tables of twiddles for the kernels, computed in double.
#pragma once

#include "fft/radix.h"

#include <complex>
#include <span>
#include <vector>

namespace clconv {

/// exp(-2 pi i k / n) in double. Integers first reduce the angle to an octant, so that the error does not grow with k.
/// Any k, n >= 1.
[[nodiscard]] std::complex<double> root_of_unity(long long k, long long n);

/// The tables of all stages of a line, one after another, as the kernels read them: for a stage of radix r and
/// stride s (the product of the radices before it) entry k is exp(-2 pi i k / (s r)), k < twiddle_entries(r, s).
[[nodiscard]] std::vector<std::complex<double>> twiddle_tables(std::span<const int> radices);

/// `block` with its digits in reversed order: q0 N/R0 + q1 N/(R0 R1) + ... becomes q0 + R0 q1 + ... N is the product of
/// `radices`, and `block` is less than it.
[[nodiscard]] long long digit_reversed(long long block, std::span<const int> radices);

/// The same tables for stages in place, forward: entry k is exp(-2 pi i digit_reversed(k) / (s r)), the twiddle that
/// all butterflies of block k share. (The inverse runs the stages in reversed order and uses twiddle_tables() of the
/// reversed radices.)
[[nodiscard]] std::vector<std::complex<double>> in_place_twiddle_tables(std::span<const int> radices);

/// The order of the stages of the inverse.
[[nodiscard]] std::vector<int> reversed(std::span<const int> radices);

/// Where each stage's table begins in twiddle_tables(), in entries.
[[nodiscard]] std::vector<int> twiddle_offsets(std::span<const int> radices);

}  // namespace clconv
