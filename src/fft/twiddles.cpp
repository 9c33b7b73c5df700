// SPDX-License-Identifier: Apache-2.0
#include "fft/twiddles.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace clconv {

std::complex<double> root_of_unity(long long k, long long n)
{
    k = ((k % n) + n) % n;
    // The angle is k / n turns = quarter + rest / n right angles; fold the rest to at most half a right angle.
    const long long quarter = 4 * k / n;
    const long long rest = 4 * k - quarter * n;
    const bool mirrored = 2 * rest > n;
    const double angle =
        std::numbers::pi / 2 * static_cast<double>(mirrored ? n - rest : rest) / static_cast<double>(n);
    const double c = mirrored ? std::sin(angle) : std::cos(angle);
    const double s = mirrored ? std::cos(angle) : std::sin(angle);
    switch (quarter) {
        case 0: return {c, -s};
        case 1: return {-s, -c};
        case 2: return {-c, s};
        default: return {s, c};
    }
}

long long digit_reversed(long long block, std::span<const int> radices)
{
    long long reversed = 0;
    long long weight = std::accumulate(radices.begin(), radices.end(), 1LL, std::multiplies<>());
    for (std::size_t s = radices.size(); s-- > 0;) {
        weight /= radices[s];
        reversed += block % radices[s] * weight;
        block /= radices[s];
    }
    return reversed;
}

std::vector<int> reversed(std::span<const int> radices) { return {radices.rbegin(), radices.rend()}; }

std::vector<int> twiddle_offsets(std::span<const int> radices)
{
    std::vector<int> offsets;
    int offset = 0;
    int stride = 1;
    for (const int radix : radices) {
        offsets.push_back(offset);
        offset += twiddle_entries(*supported_radix(radix), stride);
        stride *= radix;
    }
    return offsets;
}

std::vector<std::complex<double>> in_place_twiddle_tables(std::span<const int> radices)
{
    std::vector<std::complex<double>> tables;
    long long blocks = 1;
    for (std::size_t s = 0; s < radices.size(); ++s) {
        for (long long block = 0; block < blocks; ++block) {
            tables.push_back(root_of_unity(digit_reversed(block, radices.first(s)), blocks * radices[s]));
        }
        blocks *= radices[s];
    }
    return tables;
}

std::vector<std::complex<double>> twiddle_tables(std::span<const int> radices)
{
    std::vector<std::complex<double>> tables;
    int stride = 1;
    for (const int radix : radices) {
        const int entries = twiddle_entries(*supported_radix(radix), stride);
        stride *= radix;
        for (int k = 0; k < entries; ++k) tables.push_back(root_of_unity(k, stride));
    }
    return tables;
}

}  // namespace clconv
