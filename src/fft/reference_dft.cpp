// SPDX-License-Identifier: Apache-2.0
#include "fft/reference_dft.h"

#include "fft/twiddles.h"

namespace clconv {

std::vector<std::complex<double>> reference_dft(std::span<const std::complex<double>> x, Direction way)
{
    const auto n = static_cast<long long>(x.size());
    std::vector<std::complex<double>> roots;
    for (long long k = 0; k < n; ++k) roots.push_back(root_of_unity(way == Direction::forward ? k : -k, n));
    std::vector<std::complex<double>> result(x.size());
    for (long long k = 0; k < n; ++k)
        for (long long m = 0; m < n; ++m) result[k] += x[m] * roots[m * k % n];
    return result;
}

}  // namespace clconv
