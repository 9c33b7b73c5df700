// SPDX-License-Identifier: Apache-2.0
#include "library/look.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace clconv {
namespace {

/// A part of common second-level caches.
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 17U;

/// Without their sign, the bits of a float are in the order of its magnitude, and NaN and infinity come last. A plain
/// loop over them becomes one over whole vectors.
template <class Bits, class Real>
bool has_large(const ImageView& image)
{
    constexpr auto limit = std::bit_cast<Bits>(static_cast<Real>(kSmallSample));
    constexpr Bits magnitude = std::numeric_limits<Bits>::max() >> 1U;
    const std::span<const Bits> samples(reinterpret_cast<const Bits*>(image.samples), image.sample_count());
    Bits found = 0;
    for (const Bits bits : samples) found |= (bits & magnitude) >= limit ? Bits{1} : Bits{0};
    return found != 0;
}

bool are_small(const ImageView& image)
{
    switch (image.type) {
        case SampleType::float32: return !has_large<std::uint32_t, float>(image);
        case SampleType::float64: return !has_large<std::uint64_t, double>(image);
        case SampleType::half: return find_nonfinite(image).count == 0;
        case SampleType::u8:
        case SampleType::u16: break;
    }
    return true;
}

void add_facts(SampleFacts& all, const SampleFacts& piece)
{
    for (std::size_t c = 0; c < all.minimum.size(); ++c) all.minimum[c] = std::min(all.minimum[c], piece.minimum[c]);
    all.has_zeros |= piece.has_zeros;
}

}  // namespace

Look look_at(const ImageView& image, bool wants_facts)
{
    Look look;
    if (is_integer(image.type)) {
        look.facts = sample_facts(image);
        return look;
    }
    const std::size_t row = image.bytes() / static_cast<std::size_t>(image.extent.height);
    const auto rows = static_cast<int>(std::clamp<std::size_t>(kBytesAtOnce / row, 1, 1U << 20U));
    constexpr float maximum = std::numeric_limits<float>::infinity();
    look.facts = {std::vector<float>(static_cast<std::size_t>(image.channels), maximum), false};
    for (int y = 0; y < image.extent.height; y += rows) {
        ImageView piece = image;
        piece.extent.height = std::min(rows, image.extent.height - y);
        piece.samples = image.samples + static_cast<std::size_t>(y) * row;
        look.are_small &= are_small(piece);
        if (wants_facts) add_facts(look.facts, sample_facts(piece));
    }
    if (!look.are_small) look.bad = find_nonfinite(image);
    return look;
}

}  // namespace clconv
