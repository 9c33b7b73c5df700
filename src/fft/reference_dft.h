// SPDX-License-Identifier: Apache-2.0
// The discrete Fourier transform by its definition, in double: the reference for tests of every fast transform.
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace clconv {

enum class Direction { forward, inverse };

/// X[k] = sum over n of x[n] exp(s 2 pi i n k / N), s = -1 forward, +1 inverse; not scaled. O(N^2).
[[nodiscard]] std::vector<std::complex<double>> reference_dft(std::span<const std::complex<double>> x, Direction way);

}  // namespace clconv
