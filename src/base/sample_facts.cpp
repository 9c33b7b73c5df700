// SPDX-License-Identifier: Apache-2.0
#include "base/sample_facts.h"

#include "base/half.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace clconv {
namespace {

/// Samples that are compared side by side: a multiple of most numbers of channels, so that each place belongs to one
/// channel.
constexpr std::size_t kSideBySide = 48;

/// Numbers in the order of the halves that have these bits; -0 is the largest below 0.
std::int16_t ordered(std::uint16_t bits) { return static_cast<std::int16_t>(bits & 0x8000U ? ~bits | 0x8000U : bits); }
float value_of(std::int16_t order)
{
    const auto bits = static_cast<std::uint16_t>(order);
    return float_from_half(order < 0 ? static_cast<std::uint16_t>(~bits | 0x8000U) : bits);
}

/// Floats or doubles.
template <class Real>
struct Reals {
    using Stored = Real;
    using Ordered = Real;
    static constexpr Ordered kMax = std::numeric_limits<Real>::infinity();
    static Ordered ordered(Stored sample) { return sample; }
    static bool is_zero(Stored sample) { return sample == 0; }
    /// The largest float that is not more than `minimum`.
    static float value(Ordered minimum)
    {
        const auto nearest = static_cast<float>(minimum);
        return nearest > minimum ? std::nextafter(nearest, -std::numeric_limits<float>::infinity()) : nearest;
    }
};
struct Halves {
    using Stored = std::uint16_t;
    using Ordered = std::int16_t;
    static constexpr Ordered kMax = 0x7c00;
    static Ordered ordered(Stored sample)
    {
        return (sample & 0x7fffU) > 0x7c00U ? kMax : clconv::ordered(sample);  // NaN has a sign
    }
    static bool is_zero(Stored sample) { return (sample & 0x7fffU) == 0; }
    static float value(Ordered minimum) { return value_of(minimum); }
};

template <class Type>
SampleFacts facts(const ImageView& image)
{
    using Stored = typename Type::Stored;
    using Ordered = typename Type::Ordered;
    const auto channels = static_cast<std::size_t>(image.channels);
    const std::size_t places = kSideBySide % channels == 0 ? kSideBySide : channels;
    const std::size_t count = image.sample_count();
    const auto* samples = reinterpret_cast<const Stored*>(image.samples);
    std::vector<Ordered> minimum(places, Type::kMax);
    std::size_t zeros = 0;
    std::size_t i = 0;
    if (places == kSideBySide) {
        std::array<Ordered, kSideBySide> side_by_side;
        side_by_side.fill(Type::kMax);
        for (; i + kSideBySide <= count; i += kSideBySide) {
            std::uint16_t found = 0;
            for (std::size_t k = 0; k < kSideBySide; ++k) {
                const Ordered sample = Type::ordered(samples[i + k]);
                side_by_side[k] = sample < side_by_side[k] ? sample : side_by_side[k];
                found = static_cast<std::uint16_t>(found | static_cast<std::uint16_t>(Type::is_zero(samples[i + k])));
            }
            zeros |= found;
        }
        std::copy(side_by_side.begin(), side_by_side.end(), minimum.begin());
    }
    for (; i < count; ++i) {
        const Ordered sample = Type::ordered(samples[i]);
        Ordered& place = minimum[i % places];
        if (sample < place) place = sample;
        zeros |= Type::is_zero(samples[i]) ? 1U : 0U;
    }
    SampleFacts result{std::vector<float>(channels, std::numeric_limits<float>::infinity()), zeros != 0};
    for (std::size_t k = 0; k < places; ++k)
        result.minimum[k % channels] = std::min(result.minimum[k % channels], Type::value(minimum[k]));
    return result;
}

}  // namespace

SampleFacts sample_facts(const ImageView& image)
{
    SampleFacts nothing_known{std::vector<float>(static_cast<std::size_t>(image.channels)), true};
    if (image.sample_count() == 0) return nothing_known;  // all channels are copied
    switch (image.type) {
        case SampleType::float32: return facts<Reals<float>>(image);
        case SampleType::float64: return facts<Reals<double>>(image);
        case SampleType::half: return facts<Halves>(image);
        case SampleType::u8:
        case SampleType::u16: break;
    }
    return nothing_known;
}

}  // namespace clconv
