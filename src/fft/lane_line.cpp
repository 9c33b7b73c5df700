#include "fft/lane_line.h"

#include "fft/twiddles.h"

#include <fmt/format.h>

#include <functional>
#include <numeric>

namespace clconv {
namespace {

int product(std::span<const int> radices)
{
    return std::accumulate(radices.begin(), radices.end(), 1, std::multiplies<>());
}

/// f of block b among the blocks of the given radices: its digits in reversed order.
long long digit_reversed(long long block, std::span<const int> radices)
{
    long long reversed = 0;
    long long weight = product(radices);
    for (std::size_t s = radices.size(); s-- > 0;) {
        weight /= radices[s];
        reversed += block % radices[s] * weight;
        block /= radices[s];
    }
    return reversed;
}

void append(std::vector<std::complex<float>>& table, const std::vector<std::complex<double>>& set)
{
    for (const std::complex<double> w : set)
        table.emplace_back(static_cast<float>(w.real()), static_cast<float>(w.imag()));
}

}  // namespace

std::vector<std::complex<double>> butterfly_twiddles(int radix, long long turns, long long period)
{
    std::vector<std::complex<double>> set;
    if (radix % 2 == 1) {
        for (int m = 1; m < radix; ++m) set.push_back(root_of_unity(m * turns, period));
        return set;
    }
    const int steps = radix % 4 ? radix / 2 : radix / 4;
    for (int q = 0; q < steps; ++q) set.push_back(root_of_unity(turns * radix + q * period, period * radix));
    if (radix > 2) {
        const auto half = butterfly_twiddles(radix / 2, 2 * turns, period);
        set.insert(set.end(), half.begin(), half.end());
    }
    return set;
}

std::vector<std::complex<float>> lane_forward_twiddles(std::span<const int> radices)
{
    std::vector<std::complex<float>> table;
    long long blocks = 1;
    for (std::size_t s = 1; s < radices.size(); ++s) {
        blocks *= radices[s - 1];
        for (long long b = 0; b < blocks; ++b)
            append(table, butterfly_twiddles(radices[s], digit_reversed(b, radices.first(s)), blocks * radices[s]));
    }
    return table;
}

std::vector<std::complex<float>> lane_back_twiddles(std::span<const int> radices)
{
    std::vector<std::complex<float>> table;
    int block = product(radices);
    for (const int radix : radices) {
        for (int j = 0; j < block / radix; ++j) append(table, butterfly_twiddles(radix, j, block));
        block /= radix;
    }
    return table;
}

std::vector<unsigned> lane_places(std::span<const int> radices)
{
    const int length = product(radices);
    std::vector<unsigned> places(length);
    for (int place = 0; place < length; ++place) places[digit_reversed(place, radices)] = static_cast<unsigned>(place);
    return places;
}

std::vector<float> joint_twiddles(int length)
{
    std::vector<float> table;
    for (int k = 0; k < length; k += kLanes)
        for (long long l = 1; l < kLanes; ++l)
            for (const bool imaginary : {false, true})
                for (int i = 0; i < kLanes; ++i) {
                    const std::complex<double> w = root_of_unity(l * (k + i), static_cast<long long>(kLanes) * length);
                    table.push_back(static_cast<float>(imaginary ? w.imag() : w.real()));
                }
    return table;
}

std::string lane_defines(std::span<const int> radices)
{
    const int length = product(radices);
    std::string text =
        fmt::format("#define LANES {}\n#define N {}\n#define STAGES {}\n", kLanes, length, radices.size());
    int before = 1;
    std::size_t forward = 0;
    std::size_t back = 0;
    for (std::size_t s = 0; s < radices.size(); ++s) {
        const int radix = radices[s];
        const int step = length / (before * radix);
        text += fmt::format("#define R{} {}\n#define STEP{} {}\n#define FT{} {}\n#define BT{} {}\n", s, radix, s, step,
                            s, forward, s, back);
        const std::size_t set = butterfly_twiddles(radix, 0, 1).size();
        if (s > 0) forward += set * before;
        back += set * step;
        before *= radix;
    }
    return text;
}

}  // namespace clconv
