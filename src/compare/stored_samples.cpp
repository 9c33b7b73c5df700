// SPDX-License-Identifier: Apache-2.0
#include "compare/stored_samples.h"

#include "base/half.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace clconv {
namespace {

/// Calls `function` with a value of the C++ type that stores samples of a type; halves are their bits.
template <class Function>
auto with_type(FileType type, const Function& function)
{
    switch (type) {
        case FileType::u8: return function(std::uint8_t{});
        case FileType::i8: return function(std::int8_t{});
        case FileType::u16:
        case FileType::half: return function(std::uint16_t{});
        case FileType::i16: return function(std::int16_t{});
        case FileType::u32: return function(std::uint32_t{});
        case FileType::i32: return function(std::int32_t{});
        case FileType::float32: return function(float{});
        case FileType::float64: break;
    }
    return function(double{});
}

/// Calls `function` with each stored sample of a channel.
template <class Function>
std::vector<double> numbers(const StoredSamples& samples, std::size_t channel, const Function& function)
{
    std::size_t pixel = 0;
    std::size_t at = 0;
    for (std::size_t c = 0; c < samples.channels(); ++c) {
        if (c == channel) at = pixel;
        pixel += bytes_of(samples.types[c]);
    }
    std::vector<double> result(samples.extent.pixels());
    with_type(samples.types[channel], [&]<class T>(T value) {
        const std::byte* from = samples.pixels + at;
        for (double& number : result) {
            std::memcpy(&value, from, sizeof(T));
            number = function(value);
            from += pixel;
        }
    });
    return result;
}

/// The bits of a float without their sign are the number of floats between it and 0.
template <class Bits>
double signed_steps(Bits bits)
{
    constexpr Bits sign = Bits{1} << (std::numeric_limits<Bits>::digits - 1);
    const auto steps = static_cast<double>(bits & static_cast<Bits>(~sign));
    return (bits & sign) != 0 ? -steps : steps;
}

/// The bits of a half, whose samples with_type() gives as 16-bit integers.
template <class T>
std::uint16_t half_bits(T value)
{
    if constexpr (std::is_same_v<T, std::uint16_t>)
        return value;
    else
        return 0;
}

}  // namespace

std::vector<double> StoredSamples::plane(std::size_t channel, SampleScale scale) const
{
    const FileType type = types[channel];
    const double unit = unit_of(type, scale);
    if (type == FileType::half)
        return numbers(*this, channel, [](auto value) -> double { return float_from_half(half_bits(value)); });
    // A product with 1 / 255 would differ from the quotient that others compute.
    return numbers(*this, channel, [unit](auto value) { return static_cast<double>(value) / unit; });
}

std::vector<double> StoredSamples::steps(std::size_t channel) const
{
    if (types[channel] == FileType::half)
        return numbers(*this, channel, [](auto value) {
            const std::uint16_t bits = half_bits(value);
            return std::isnan(float_from_half(bits)) ? std::nan("") : signed_steps(bits);
        });
    return numbers(*this, channel, [](auto value) -> double {
        using T = decltype(value);
        if constexpr (std::is_same_v<T, float>)
            return std::isnan(value) ? std::nan("") : signed_steps(std::bit_cast<std::uint32_t>(value));
        else if constexpr (std::is_same_v<T, double>)
            return std::isnan(value) ? std::nan("") : signed_steps(std::bit_cast<std::uint64_t>(value));
        else
            return value;
    });
}

double unit_of(FileType type, SampleScale scale)
{
    if (scale == SampleScale::codes) return 1;
    switch (type) {
        case FileType::u8: return std::numeric_limits<std::uint8_t>::max();
        case FileType::i8: return std::numeric_limits<std::int8_t>::max();
        case FileType::u16: return std::numeric_limits<std::uint16_t>::max();
        case FileType::i16: return std::numeric_limits<std::int16_t>::max();
        default: return 1;
    }
}

double range_of(FileType type, SampleScale scale)
{
    if (!is_integer(type)) return 0;
    return (std::exp2(static_cast<double>(8 * bytes_of(type))) - 1) / unit_of(type, scale);
}

}  // namespace clconv
