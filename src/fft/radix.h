// SPDX-License-Identifier: Apache-2.0
// The radices that kernels/butterfly.cl and kernels/generic.cl implement, and their costs.
//
// To add a radix, add a row to the table in radix.cpp, and the radix to the table in docs/radix-study.md.
#pragma once

#include "base/names.h"

#include <optional>
#include <span>
#include <string>

namespace clconv {

enum class Butterfly {
    halves,   ///< an even radix: two transforms of half the size, joined (DFT_HALVES)
    odd,      ///< an odd radix: sums and differences of pairs (DFT_ODD)
    generic,  ///< a power of two: radix-2 rounds over an array, in a loop (generic.cl); for the radix study
};

/// The cost of a stage without a measurement, such as a loop over an array. It is so high that such a stage is never
/// chosen.
inline constexpr double kUnmeasuredPs = 10;

struct Radix {
    int size = 0;
    Butterfly butterfly = Butterfly::halves;
    /// One stage of a row pass and of a column pass on a GPU, picoseconds a value (plan/gpu_cost.h).
    double row_ps = kUnmeasuredPs;
    double column_ps = kUnmeasuredPs;
    /// The cost that plan/cost.h adds to a stage for registers and twiddles, in arithmetic operations a value.
    double burden = 0;
};

/// How a butterfly of composite size is computed: as butterflies of its factors within each other, or as the sum by
/// definition, R^2 products (the studies of docs/radix-study.md).
enum class Butterflies { embedded, direct };
template <>
inline constexpr auto kNames<Butterflies> = std::to_array<Named<Butterflies>>({{"embedded", Butterflies::embedded},
                                                                               {"direct", Butterflies::direct}});

/// The defines of kernels/butterfly.cl: "#define NAME VALUE" lines for the butterflies of `radices` and of their
/// factors, with their roots of unity. There are no other butterflies, because NVIDIA's compiler takes 0.4 s a program
/// for unused ones (docs/decisions/019-only-the-butterflies-used.md).
[[nodiscard]] std::string butterfly_defines(Butterflies butterflies, std::span<const int> radices);

/// All supported radices, ascending.
[[nodiscard]] std::span<const Radix> supported_radices();

[[nodiscard]] std::optional<Radix> supported_radix(int size);

/// "2, 3, 4, ..." for messages.
[[nodiscard]] std::string supported_radices_text();

/// Entries of the table of twiddles that a stage reads: one for each of its `stride` distinct angles, or, for a
/// generic butterfly, all stride * radix roots of its block.
[[nodiscard]] int twiddle_entries(const Radix& radix, int stride);

/// The largest odd radix. kernels/butterfly.cl has room for that many values.
[[nodiscard]] int largest_odd_radix();

/// Arithmetic instructions of one butterfly with twiddles, fused multiply-adds counted once, divided by its size:
/// a measure of the work a stage does per value.
[[nodiscard]] double operations_per_value(const Radix& radix);

}  // namespace clconv
