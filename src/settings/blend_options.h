// SPDX-License-Identifier: Apache-2.0
// How image and result are combined: `clconv run --mix`, --mask and --bias, and all of `clconv bloom`.
#pragma once

#include "base/names.h"
#include "passes/blending.h"
#include "settings/resolution_option.h"

#include "settings/option_list.h"

#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// The options that need no further parsing are fields of `blending`.
struct BlendOptions {
    std::optional<double> mix;
    std::string mask;
    Blending blending;
};

/// `clconv bloom --mix`.
enum class BloomMix { add, screen, lerp };
template <>
inline constexpr auto kNames<BloomMix> =
    std::to_array<Named<BloomMix>>({{"add", BloomMix::add}, {"screen", BloomMix::screen}, {"lerp", BloomMix::lerp}});

/// Words and numbers are read when they are parsed; the tint is as typed.
struct BloomOptions {
    double threshold = 0.8;
    double knee = 0.5;
    double clamp = 0;  ///< 0: no limit
    std::optional<double> intensity;
    double scatter = 0.2;
    std::string tint = "1,1,1";
    BloomMix mix = BloomMix::add;
    std::optional<double> boost;  ///< "auto": none
    std::optional<double> scale;  ///< "auto": none
    Resolution resolution = Resolution::full;
    bool default_glow = false;  ///< no PSF was named
};

void add_mask_option(OptionList& list, BlendOptions& options);
void add_blend_options(OptionList& list, BlendOptions& options);
void add_bloom_options(OptionList& list, BloomOptions& options);

/// Of add and screen. A lerp has 1, so that the light that it takes away comes back.
inline constexpr double kDefaultIntensity = 0.6;

/// The default PSF of a bloom, in words, for images whose shorter side is kBloomReference pixels.
inline constexpr const char* kBloomGlow = "glow:270,core=3,exponent=2.4";
inline constexpr int kBloomReference = 1080;

}  // namespace clconv
