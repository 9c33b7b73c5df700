// SPDX-License-Identifier: Apache-2.0
// How a result is combined with its image, as far as programs depend on it. The numbers are in passes/blending.h.
//
// To add a property, add its field to BlendShape and its row to kBlendFlags, and read its define in a kernel.
#pragma once

#include <array>
#include <compare>
#include <string_view>

namespace clconv {

/// In the order of BLEND_... in kernels/blend.cl.
enum class Blend {
    none,    ///< the result is stored
    sum,     ///< a part of the image plus a part of the result
    screen,  ///< the same, with less of the result where the image is bright
};

struct BlendShape {
    Blend blend = Blend::none;
    bool masked = false;       ///< the blend depends on a mask, one number a pixel
    bool highlights = false;   ///< only highlights are convolved
    bool leaves = false;       ///< highlights are subtracted from the image
    bool layers = false;       ///< the image has several layers, each with highlights of its own
    bool boosts = false;       ///< highlights that were clipped count more
    bool early_alpha = false;  ///< highlights are looked for beside an alpha that is among the first three channels
    friend auto operator<=>(const BlendShape&, const BlendShape&) = default;
};

/// Which passes a property concerns: those that load samples, or those that blend and store results.
enum class BlendPass { loads, stores };

/// What a property of BlendShape is called.
struct BlendFlag {
    bool BlendShape::*is_set;
    BlendPass pass;
    std::string_view define;  ///< of kernels
    std::string_view word;    ///< in the names of programs
    std::string_view token;   ///< in the tokens of problems
};

inline constexpr auto kBlendFlags = std::to_array<BlendFlag>({
    {&BlendShape::highlights, BlendPass::loads, "HIGHLIGHTS", "highlights", "of highlights"},
    {&BlendShape::layers, BlendPass::loads, "LAYERS", "layers", "by layers"},
    {&BlendShape::boosts, BlendPass::loads, "BOOSTS", "boost", "boosted"},
    {&BlendShape::early_alpha, BlendPass::loads, "EARLY_ALPHA", "alpha", "beside alpha"},
    {&BlendShape::masked, BlendPass::stores, "MASKED", "mask", "masked"},
    {&BlendShape::leaves, BlendPass::stores, "LEAVES", "leaves", "leaving less"},
});

}  // namespace clconv
