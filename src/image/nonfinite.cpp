// SPDX-License-Identifier: Apache-2.0
#include "image/nonfinite.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace clconv {
namespace {

// A sample is NaN or infinite if and only if all its exponent bits are set. Counting them in a plain loop over the bits
// lets the compiler use whole vectors, which calling std::isfinite for each sample does not.
constexpr std::uint16_t kHalfExponent = 0x7C00U;
constexpr std::uint32_t kFloatExponent = 0x7F800000U;
constexpr std::uint64_t kDoubleExponent = 0x7FF0000000000000U;
constexpr std::size_t kSamplesAtOnce = 4096;

template <class Bits>
NonFinite count_exponents(const ImageView& image, Bits exponent)
{
    const std::span<const Bits> samples(reinterpret_cast<const Bits*>(image.samples), image.sample_count());
    NonFinite result;
    std::size_t first = samples.size();
    for (std::size_t start = 0; start < samples.size(); start += kSamplesAtOnce) {
        const std::span<const Bits> block = samples.subspan(start, std::min(kSamplesAtOnce, samples.size() - start));
        std::uint32_t found = 0;
        for (const Bits bits : block) found += (bits & exponent) == exponent ? 1U : 0U;
        if (found > 0 && result.count == 0) {
            const auto at =
                std::find_if(block.begin(), block.end(), [&](Bits bits) { return (bits & exponent) == exponent; });
            first = start + static_cast<std::size_t>(at - block.begin());
        }
        result.count += found;
    }
    if (result.count == 0) return result;

    const auto channels = static_cast<std::size_t>(image.channels);
    const auto width = static_cast<std::size_t>(image.extent.width);
    result.channel = static_cast<int>(first % channels);
    result.first = {static_cast<int>(first / channels % width), static_cast<int>(first / channels / width)};
    return result;
}

/// Sets `to[i]` where sample i is not finite.
template <class Bits, class T>
void mark(const ImageView& image, Bits exponent, T* to, T value)
{
    const auto* const samples = reinterpret_cast<const Bits*>(image.samples);
    for (std::size_t i = 0; i < image.sample_count(); ++i)
        if ((samples[i] & exponent) == exponent) to[i] = value;
}

}  // namespace

NonFinite find_nonfinite(const ImageView& image)
{
    switch (image.type) {
        case SampleType::half: return count_exponents<std::uint16_t>(image, kHalfExponent);
        case SampleType::float32: return count_exponents<std::uint32_t>(image, kFloatExponent);
        case SampleType::float64: return count_exponents<std::uint64_t>(image, kDoubleExponent);
        case SampleType::u8:
        case SampleType::u16: break;
    }
    return {};
}

void zero_nonfinite(const ImageView& image, std::byte* samples)
{
    if (image.type == SampleType::half)
        mark<std::uint16_t, std::uint16_t>(image, kHalfExponent, reinterpret_cast<std::uint16_t*>(samples), 0);
    if (image.type == SampleType::float32)
        mark<std::uint32_t, std::uint32_t>(image, kFloatExponent, reinterpret_cast<std::uint32_t*>(samples), 0);
    if (image.type == SampleType::float64)
        mark<std::uint64_t, std::uint64_t>(image, kDoubleExponent, reinterpret_cast<std::uint64_t*>(samples), 0);
}

Bytes nonfinite_mask(const ImageView& image)
{
    constexpr std::byte missing{255};
    Bytes mask(image.sample_count());
    std::memset(mask.data(), 0, mask.size());
    if (image.type == SampleType::half) mark<std::uint16_t>(image, kHalfExponent, mask.data(), missing);
    if (image.type == SampleType::float32) mark<std::uint32_t>(image, kFloatExponent, mask.data(), missing);
    if (image.type == SampleType::float64) mark<std::uint64_t>(image, kDoubleExponent, mask.data(), missing);
    return mask;
}

}  // namespace clconv
