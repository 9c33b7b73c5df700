// How a result is combined with its image, as far as programs depend on it. The numbers are in passes/blending.h.
#pragma once

#include <compare>

namespace clconv {

/// In the order of BLEND_... in kernels/results.cl.
enum class Blend {
    none,    ///< the result is stored
    sum,     ///< a part of the image plus a part of the result
    screen,  ///< the same, with less of the result where the image is bright
};

struct BlendShape {
    Blend blend = Blend::none;
    bool masked = false;       ///< by a mask, one number a pixel
    bool highlights = false;   ///< only highlights are convolved
    bool leaves = false;       ///< highlights are subtracted from the image
    bool layers = false;       ///< of several layers, each of which has highlights of its own
    bool boosts = false;       ///< highlights that were clipped count more
    bool early_alpha = false;  ///< highlights are looked for beside an alpha that is among the first three channels
    friend auto operator<=>(const BlendShape&, const BlendShape&) = default;
};

}  // namespace clconv
