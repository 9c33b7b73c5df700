// How a result meets the image it was made of, as far as programs know it. The numbers are in engine/blending.h.
#pragma once

namespace clconv {

/// In the order of BLEND_... in kernels/image.cl.
enum class Blend {
    none,    ///< the result is stored
    sum,     ///< what stays of the image, and a part of the result
    screen,  ///< the same, but less of the result where the image is bright already
};

struct BlendShape {
    Blend blend = Blend::none;
    bool masked = false;      ///< by a mask, one number a pixel
    bool highlights = false;  ///< only what is bright is convolved
    bool leaves = false;      ///< highlights leave the image where they glow: less of them stays
    friend auto operator<=>(const BlendShape&, const BlendShape&) = default;
};

}  // namespace clconv
