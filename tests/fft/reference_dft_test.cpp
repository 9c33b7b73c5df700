// SPDX-License-Identifier: Apache-2.0
// The reference transform by laws that only a correct transform obeys.

#include "fft/reference_dft.h"

#include "fft/twiddles.h"
#include "support/complex_lines.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

using Line = std::vector<std::complex<double>>;

constexpr int kLengths[] = {1, 2, 3, 8, 13, 60};
constexpr double kTolerance = 1e-13;  // sixty sums in double

double norm_of(const Line& line)
{
    double sum = 0;
    for (const auto& value : line) sum += std::norm(value);
    return sum;
}

TEST(ReferenceDft, AnImpulseBecomesItsRoots)
{
    for (const int n : kLengths)
        for (int at = 0; at < n; ++at) {
            Line impulse(n);
            impulse[at] = 1;
            const Line spectrum = reference_dft(impulse, Direction::forward);
            for (int k = 0; k < n; ++k)
                EXPECT_LE(std::abs(spectrum[k] - root_of_unity(1LL * k * at, n)), kTolerance) << n << ":" << at;
        }
}

TEST(ReferenceDft, IsLinear)
{
    for (const int n : kLengths) {
        const Line a = random_line(n, 1), b = random_line(n, 2);
        Line both(n);
        const std::complex<double> factor{0.5, -2};
        for (int i = 0; i < n; ++i) both[i] = a[i] + factor * b[i];
        const Line of_a = reference_dft(a, Direction::forward), of_b = reference_dft(b, Direction::forward);
        Line expected(n);
        for (int i = 0; i < n; ++i) expected[i] = of_a[i] + factor * of_b[i];
        EXPECT_LE(distance<double>(reference_dft(both, Direction::forward), expected), kTolerance) << n;
    }
}

TEST(ReferenceDft, AShiftTurnsTheSpectrum)
{
    for (const int n : kLengths) {
        const Line line = random_line(n, 3);
        Line shifted(n);
        for (int i = 0; i < n; ++i) shifted[(i + 1) % n] = line[i];
        Line expected = reference_dft(line, Direction::forward);
        for (int k = 0; k < n; ++k) expected[k] *= root_of_unity(k, n);
        EXPECT_LE(distance<double>(reference_dft(shifted, Direction::forward), expected), kTolerance) << n;
    }
}

TEST(ReferenceDft, KeepsTheEnergyTimesTheLength)
{
    for (const int n : kLengths) {
        const Line line = random_line(n, 4);
        const double energy = norm_of(reference_dft(line, Direction::forward));
        EXPECT_NEAR(energy / (n * norm_of(line)), 1, kTolerance) << n;
    }
}

TEST(ReferenceDft, TheInverseGivesTheLineBackTimesItsLength)
{
    for (const int n : kLengths) {
        const Line line = random_line(n, 5);
        Line back = reference_dft(reference_dft(line, Direction::forward), Direction::inverse);
        for (auto& value : back) value /= n;
        EXPECT_LE(distance<double>(back, line), kTolerance) << n;
    }
}

}  // namespace
}  // namespace clconv::test
