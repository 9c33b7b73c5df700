// SPDX-License-Identifier: Apache-2.0
#include "fft/radix.h"

#include "fft/twiddles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <complex>
#include <set>
#include <string>
#include <vector>

namespace clconv {
namespace {

// Size, butterfly, and the cost of a stage: in a row pass, in a column pass, and in addition to its operations. The
// costs of passes are part of the fit of docs/decisions/006-gpu-cost-model.md. Radices below 5, 11 and 13 were rare
// among its plans, so theirs come from their neighbours and from single measurements. Radix 32 needs 64 complex
// registers where butterflies come in pairs, so it pays only if it saves a stage. Large odd radices cannot merge
// twiddles into fused operations: docs/decisions/003-odd-radices.md.
constexpr std::array kRadices = {
    Radix{2, Butterfly::halves, .4, .5},    Radix{3, Butterfly::odd, .4, .5},
    Radix{4, Butterfly::halves, .4, .4},    Radix{5, Butterfly::odd, .3, .2},
    Radix{6, Butterfly::halves, .18, .1},   Radix{7, Butterfly::odd, .3, .6},
    Radix{8, Butterfly::halves, .06, .1},   Radix{9, Butterfly::odd, .16, .54},
    Radix{10, Butterfly::halves, .15, .15}, Radix{11, Butterfly::odd, .53, .9, 5},
    Radix{12, Butterfly::halves, .07, .04}, Radix{13, Butterfly::odd, .82, 1.1, 5},
    Radix{14, Butterfly::halves, .15, .61}, Radix{16, Butterfly::halves, .04, 0},
    Radix{18, Butterfly::halves, .3, .4},   Radix{20, Butterfly::halves, .12, .31},
    Radix{24, Butterfly::halves, .14, .21}, Radix{32, Butterfly::halves, .02, .33, 3},
    Radix{64, Butterfly::generic},          Radix{128, Butterfly::generic},
    Radix{256, Butterfly::generic},         Radix{512, Butterfly::generic},
    Radix{1024, Butterfly::generic},
};

double odd_operations(int n)
{
    const int pairs = n / 2;
    const int twiddles = 4 * (n - 1);                  // every input but the first, four operations each
    const int sums = 3 * 2 * pairs;                    // sum, difference, and the sum added to x[0]
    const int rows = pairs * (4 * pairs) + pairs * 4;  // real factors times sums and differences; then a +- b
    return twiddles + sums + rows;
}

double halves_operations(int n)
{
    if (n == 1) return 0;
    if (n % 2) return odd_operations(n);
    const int half = n / 2;
    return 2 * halves_operations(half) + 6.0 * half;
}

double rounds_operations(int n)
{
    int rounds = 0;
    while ((1 << rounds) < n) ++rounds;
    // Six operations a pair and round, as many again to address the array and the roots, and the twiddles.
    const int pairs = n / 2;
    return rounds * 12.0 * pairs + 6.0 * n;
}

std::string roots_define(int n)
{
    std::vector<std::string> roots;
    for (int p = 0; p < n; ++p) {
        const std::complex<double> root = root_of_unity(p, n);
        roots.push_back(fmt::format("ROOT({:.16e}, {:.16e})", root.real(), root.imag()));
    }
    return fmt::format("#define ROOTS_{} {}\n", n, fmt::join(roots, ", "));
}

}  // namespace

std::string butterfly_defines(Butterflies butterflies, std::span<const int> radices)
{
    std::set<int> sizes;  // halves stand before what they are halves of
    for (int size : radices)
        if (const auto radix = supported_radix(size); radix && radix->butterfly != Butterfly::generic)
            for (; size > 2 && sizes.insert(size).second && size % 2 == 0; size /= 2) continue;
    std::string text = butterflies == Butterflies::direct ? "#define DIRECT_BUTTERFLIES 1\n" : "";
    if (std::ranges::any_of(sizes, [](int size) { return size % 2 != 0; }))
        text += fmt::format("#define MOST_ODD {}\n", largest_odd_radix());
    for (const int size : sizes) text += roots_define(size);
    text += "#define BUTTERFLY_LIST";
    for (const int size : sizes)
        text += size % 2 ? fmt::format(" DFT_ODD({})", size) : fmt::format(" DFT_HALVES({}, {})", size, size / 2);
    return text + '\n';
}

std::span<const Radix> supported_radices() { return kRadices; }

std::optional<Radix> supported_radix(int size)
{
    const auto* const found =
        std::find_if(kRadices.begin(), kRadices.end(), [&](const Radix& r) { return r.size == size; });
    if (found == kRadices.end()) return std::nullopt;
    return *found;
}

std::string supported_radices_text()
{
    std::vector<int> sizes;
    for (const Radix& radix : kRadices) sizes.push_back(radix.size);
    return fmt::format("{}", fmt::join(sizes, ", "));
}

int twiddle_entries(const Radix& radix, int stride)
{
    return radix.butterfly == Butterfly::generic ? stride * radix.size : stride;
}

int largest_odd_radix()
{
    int largest = 0;
    for (const Radix& radix : kRadices)
        if (radix.butterfly == Butterfly::odd) largest = std::max(largest, radix.size);
    return largest;
}

double operations_per_value(const Radix& radix)
{
    return (radix.butterfly == Butterfly::generic ? rounds_operations(radix.size) : halves_operations(radix.size)) /
           radix.size;
}

}  // namespace clconv
