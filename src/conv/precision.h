// SPDX-License-Identifier: Apache-2.0
// The types in which a convolution is computed and its intermediates are stored: `--precision`.
#pragma once

#include "base/names.h"

#include <cstdint>

namespace clconv {

/// In the order of kernels/complex.cl: the enumerator's number is the define's value.
enum class Precision {
    float32,  ///< everything in float
    half,     ///< arithmetic in float; the spectra between the passes and the transfer are stored in half
    float64,  ///< everything in double
};
template <>
inline constexpr auto kNames<Precision> = std::to_array<Named<Precision>>({{"float", Precision::float32},
                                                                           {"half", Precision::half},
                                                                           {"double", Precision::float64}});

inline constexpr auto kPrecisions = all_values<Precision>();

/// Bytes of one number in the arithmetic.
[[nodiscard]] constexpr std::uint64_t scalar_bytes(Precision precision)
{
    return precision == Precision::float64 ? 8 : 4;
}

/// Bytes of one complex value of the spectra and of the transfer.
[[nodiscard]] constexpr std::uint64_t stored_complex_bytes(Precision precision)
{
    return precision == Precision::half ? 4 : 2 * scalar_bytes(precision);
}

}  // namespace clconv
