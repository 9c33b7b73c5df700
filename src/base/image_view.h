// SPDX-License-Identifier: Apache-2.0
// What the engine needs to know about an image, wherever it came from.
#pragma once

#include "base/channels.h"
#include "base/extent.h"
#include "base/light.h"
#include "base/sample_type.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace clconv {

struct Transfer;
struct SampleFacts;

/// Interleaved samples: sample (x, y, c) is number (y * width + x) * channels + c. Does not own them.
struct ImageView {
    Extent extent;
    int channels = 0;
    SampleType type = SampleType::float32;
    const std::byte* samples = nullptr;
    Light light = Light::stored;
    const Transfer* transfer = nullptr;  ///< of the file, where `light` is not stored; none: sRGB
    bool is_clipped = is_integer(type);  ///< what was brighter than 1 was stored as 1
    std::uint64_t id = 0;                ///< consecutive views of the same samples have the same one; 0: not known
    const SampleFacts* facts = nullptr;  ///< about the samples; null: not known
    int alpha_channel = -1;              ///< -1 if there is none
    std::span<const LayerChannel> layers = {};  ///< of each channel; empty where colours are the first three

    [[nodiscard]] std::size_t sample_count() const { return extent.pixels() * static_cast<std::size_t>(channels); }
    [[nodiscard]] std::size_t bytes() const { return sample_count() * bytes_of(type); }
};

[[nodiscard]] inline Channels channels_of(const ImageView& image) { return {image.channels, image.alpha_channel}; }

}  // namespace clconv
