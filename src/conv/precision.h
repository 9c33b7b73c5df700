// What a convolution is computed in and what its intermediates are stored in: what `--precision` asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace clconv {

/// In the order of kernels/complex.cl: the enumerator's number is the define's value.
enum class Precision {
    float32,  ///< everything in float
    half,     ///< arithmetic in float; the spectra between the passes and the transfer are stored in half
    float64,  ///< everything in double
};

inline constexpr Precision kPrecisions[] = {Precision::float32, Precision::half, Precision::float64};

/// The name used in options, logs and reports: float, half, double.
[[nodiscard]] constexpr std::string_view name_of(Precision precision)
{
    switch (precision) {
        case Precision::float32: return "float";
        case Precision::half: return "half";
        case Precision::float64: return "double";
    }
    return "?";
}

/// The precision of that name, if there is one.
[[nodiscard]] constexpr std::optional<Precision> precision_named(std::string_view name)
{
    for (const Precision precision : kPrecisions)
        if (name_of(precision) == name) return precision;
    return std::nullopt;
}

/// Bytes of one number as the arithmetic has it.
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
