// SPDX-License-Identifier: Apache-2.0
// Fast transforms of lines on the host, in double, with the same stages as the kernels (fft/stage_index.h, factorize.h,
// twiddles.h). For values that are computed once and must not depend on a device, such as the diffraction of an
// aperture.
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace clconv {

class HostLine {
public:
    using Complex = std::complex<double>;

    /// `length`: samples, a product of 2, 3 and 5. Throws InvalidProblem for other lengths.
    explicit HostLine(int length);

    [[nodiscard]] int length() const { return length_; }

    /// X[k] = sum over n of x[n] exp(-2 pi i n k / N), in place. `line` has length() values.
    void forward(std::span<Complex> line);

private:
    int length_;
    std::vector<int> radices_;
    std::vector<Complex> roots_;  ///< exp(-2 pi i k / N), k < N
    std::vector<Complex> other_;  ///< the stages alternate between the line and this
};

}  // namespace clconv
