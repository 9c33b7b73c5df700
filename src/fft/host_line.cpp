// SPDX-License-Identifier: Apache-2.0
#include "fft/host_line.h"

#include "base/errors.h"
#include "fft/factorize.h"
#include "fft/stage_index.h"
#include "fft/twiddles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace clconv {
namespace {

using Complex = HostLine::Complex;

constexpr int kMaxRadix = 5;
constexpr std::array<int, 4> kHostRadices = {2, 3, 4, 5};

std::vector<int> radices_of(int length)
{
    const RadixRules rules{.largest = kMaxRadix, .cost = [](int) { return 1.0; }, .only = kHostRadices};
    const auto factors = factorize(length, rules);
    if (!factors)
        throw InvalidProblem(fmt::format("a host line of {} samples: its only factors may be 2, 3 and 5", length));
    return factors->radices;
}

/// Without the library's handling of infinities, which takes most of the time.
Complex product(const Complex& a, const Complex& b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// The transform of `radix` values, by its definition for 3 and 5. `roots`: those of the whole line.
void butterfly(std::array<Complex, kMaxRadix>& v, int radix, const std::vector<Complex>& roots)
{
    if (radix == 2) {
        v = {v[0] + v[1], v[0] - v[1]};
        return;
    }
    if (radix == 4) {
        const Complex a = v[0] + v[2];
        const Complex b = v[0] - v[2];
        const Complex c = v[1] + v[3];
        const Complex d = {v[1].imag() - v[3].imag(), v[3].real() - v[1].real()};  // -i (v1 - v3)
        v = {a + c, b + d, a - c, b - d};
        return;
    }
    const std::array<Complex, kMaxRadix> in = v;
    const std::size_t step = roots.size() / static_cast<std::size_t>(radix);
    for (int q = 0; q < radix; ++q) {
        v[q] = in[0];
        for (int m = 1; m < radix; ++m) v[q] += product(in[m], roots[static_cast<std::size_t>(q * m % radix) * step]);
    }
}

}  // namespace

HostLine::HostLine(int length) : length_(length), radices_(radices_of(length)), other_(length)
{
    roots_.reserve(length);
    for (int k = 0; k < length; ++k) roots_.push_back(root_of_unity(k, length));
}

void HostLine::forward(std::span<Complex> line)
{
    std::span<Complex> from = line;
    std::span<Complex> to = other_;
    int stride = 1;
    for (const int radix : radices_) {
        const int block = stride * radix;
        for (int j = 0; j < length_ / radix; ++j) {
            std::array<Complex, kMaxRadix> v;
            const int exponent = j % stride * (length_ / block);
            for (int m = 0; m < radix; ++m)
                v[m] = product(from[stage_input(length_, radix, j, m)], roots_[m * exponent]);
            butterfly(v, radix, roots_);
            for (int q = 0; q < radix; ++q) to[stage_output(radix, stride, j, q)] = v[q];
        }
        std::swap(from, to);
        stride = block;
    }
    if (from.data() != line.data()) std::ranges::copy(from, line.begin());
}

}  // namespace clconv
