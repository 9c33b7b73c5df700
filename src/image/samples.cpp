// SPDX-License-Identifier: Apache-2.0
#include "image/samples.h"

#include "base/errors.h"
#include "base/half.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace clconv {
namespace {

template <class T>
void quantise(std::span<const float> samples, std::span<T> result)
{
    constexpr auto max = static_cast<float>(std::numeric_limits<T>::max());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        // Written so that NaN becomes 0.
        const float value = samples[i] > 0.0F ? samples[i] : 0.0F;
        result[i] = static_cast<T>(value < 1.0F ? value * max + 0.5F : max);
    }
}

/// Number `index` of a sequence of random bits: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014), started at `seed`.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index)
{
    std::uint64_t bits = seed + (index + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31U);
}

/// The integer of a type for a float of 1: the largest code, or 1 if integers stand for their own values.
template <class T>
constexpr double kCodeOfOne = sizeof(T) < 4 ? static_cast<double>(std::numeric_limits<T>::max()) : 1.0;

/// `up`: added before a number is truncated; 0.5 rounds to nearest. NaN becomes 0.
template <class T>
T integer_of(float sample, double up)
{
    const double value = std::isnan(sample) ? 0 : std::floor(static_cast<double>(sample) * kCodeOfOne<T> + up);
    return static_cast<T>(std::clamp(value, static_cast<double>(std::numeric_limits<T>::min()),
                                     static_cast<double>(std::numeric_limits<T>::max())));
}

template <class T>
void round_all(std::span<const float> samples, std::span<T> result)
{
    for (std::size_t i = 0; i < samples.size(); ++i) result[i] = integer_of<T>(samples[i], 0.5);
}

template <class T>
void dither(std::span<const float> samples, std::span<T> result, const DitherPlace& place)
{
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const bool is_alpha = static_cast<int>(i % static_cast<std::size_t>(place.channels)) == place.alpha;
        const double up =
            is_alpha ? 0.5 : static_cast<double>(random_bits(place.seed, place.first + i) >> 32U) * 0x1p-32;
        result[i] = integer_of<T>(samples[i], up);
    }
}

/// Integers stand for fractions of their largest value.
template <class T>
void to_fractions(const std::byte* samples, std::span<float> result)
{
    constexpr float scale = 1.0F / static_cast<float>(std::numeric_limits<T>::max());
    const auto* codes = reinterpret_cast<const T*>(samples);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<float>(codes[i]) * scale;
}

}  // namespace

Bytes to_float(const ImageView& view)
{
    Bytes result(view.sample_count() * sizeof(float));
    const std::span<float> floats = result.as<float>();
    switch (view.type) {
        case SampleType::u8: to_fractions<std::uint8_t>(view.samples, floats); break;
        case SampleType::u16: to_fractions<std::uint16_t>(view.samples, floats); break;
        case SampleType::half:
            std::transform(reinterpret_cast<const std::uint16_t*>(view.samples),
                           reinterpret_cast<const std::uint16_t*>(view.samples) + floats.size(), floats.begin(),
                           float_from_half);
            break;
        case SampleType::float32: std::memcpy(result.data(), view.samples, result.size()); break;
        case SampleType::float64:
            std::transform(reinterpret_cast<const double*>(view.samples),
                           reinterpret_cast<const double*>(view.samples) + floats.size(), floats.begin(),
                           [](double sample) { return static_cast<float>(sample); });
            break;
    }
    return result;
}

Bytes from_float(std::span<const float> samples, FileType type)
{
    Bytes result(samples.size() * bytes_of(type));
    switch (type) {
        case FileType::u8: quantise(samples, result.as<std::uint8_t>()); break;
        case FileType::u16: quantise(samples, result.as<std::uint16_t>()); break;
        case FileType::i8: round_all(samples, result.as<std::int8_t>()); break;
        case FileType::i16: round_all(samples, result.as<std::int16_t>()); break;
        case FileType::i32: round_all(samples, result.as<std::int32_t>()); break;
        case FileType::u32: round_all(samples, result.as<std::uint32_t>()); break;
        case FileType::half:
            std::ranges::transform(samples, result.as<std::uint16_t>().begin(), half_from_float);
            break;
        case FileType::float32: std::memcpy(result.data(), samples.data(), samples.size_bytes()); break;
        case FileType::float64: std::ranges::copy(samples, result.as<double>().begin()); break;
    }
    return result;
}

Bytes dithered(std::span<const float> samples, FileType type, const DitherPlace& place)
{
    Bytes result(samples.size() * bytes_of(type));
    switch (type) {
        case FileType::u8: dither(samples, result.as<std::uint8_t>(), place); break;
        case FileType::u16: dither(samples, result.as<std::uint16_t>(), place); break;
        case FileType::i8: dither(samples, result.as<std::int8_t>(), place); break;
        case FileType::i16: dither(samples, result.as<std::int16_t>(), place); break;
        case FileType::i32: dither(samples, result.as<std::int32_t>(), place); break;
        case FileType::u32: dither(samples, result.as<std::uint32_t>(), place); break;
        case FileType::half:
        case FileType::float32:
        case FileType::float64: throw InternalError("only integers are dithered");
    }
    return result;
}

void settle_alpha(std::span<float> samples, const AlphaLayout& layout, AlphaUse use)
{
    if (use == AlphaUse::alpha) return;
    const auto channels = static_cast<std::size_t>(layout.channels);
    const auto alpha = static_cast<std::size_t>(layout.alpha);
    if (use == AlphaUse::unless_zero)
        for (std::size_t i = alpha; i < samples.size(); i += channels)
            if (samples[i] != 0) return;
    for (std::size_t i = alpha; i < samples.size(); i += channels) samples[i] = 1;
}

void associate(std::span<float> samples, const AlphaLayout& layout)
{
    const auto channels = static_cast<std::size_t>(layout.channels);
    for (std::size_t pixel = 0; pixel + channels <= samples.size(); pixel += channels) {
        const float alpha = samples[pixel + static_cast<std::size_t>(layout.alpha)];
        for (const int colour : layout.colours) samples[pixel + static_cast<std::size_t>(colour)] *= alpha;
    }
}

void unassociate(std::span<float> samples, const AlphaLayout& layout)
{
    const auto channels = static_cast<std::size_t>(layout.channels);
    for (std::size_t pixel = 0; pixel + channels <= samples.size(); pixel += channels) {
        const float alpha = samples[pixel + static_cast<std::size_t>(layout.alpha)];
        if (alpha == 0.0F) continue;
        for (const int colour : layout.colours) samples[pixel + static_cast<std::size_t>(colour)] /= alpha;
    }
}

Bytes select_channels(const ImageView& view, std::span<const int> sources)
{
    const std::size_t sample_bytes = bytes_of(view.type);
    const std::size_t pixel_bytes = sample_bytes * static_cast<std::size_t>(view.channels);
    Bytes result(view.extent.pixels() * sources.size() * sample_bytes);
    std::byte* target = result.data();
    for (std::size_t pixel = 0; pixel < view.extent.pixels(); ++pixel)
        for (const int source : sources) {
            std::memcpy(target, view.samples + pixel * pixel_bytes + static_cast<std::size_t>(source) * sample_bytes,
                        sample_bytes);
            target += sample_bytes;
        }
    return result;
}

}  // namespace clconv
