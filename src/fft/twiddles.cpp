#include "fft/twiddles.h"

#include <cmath>
#include <numbers>

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

std::vector<std::complex<float>> twiddle_tables(std::span<const int> radices)
{
    std::vector<std::complex<float>> tables;
    int stride = 1;
    for (const int radix : radices) {
        const int entries = twiddle_entries(*supported_radix(radix), stride);
        stride *= radix;
        for (int k = 0; k < entries; ++k) {
            const std::complex<double> w = root_of_unity(k, stride);
            tables.emplace_back(static_cast<float>(w.real()), static_cast<float>(w.imag()));
        }
    }
    return tables;
}

}  // namespace clconv
