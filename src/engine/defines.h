// The defines that the kernels share (kernels/image.cl, kernels/spectrum.cl), from a plan.
#pragma once

#include "conv/plan.h"

#include <string>
#include <string_view>

namespace clconv {

/// Text of "#define NAME VALUE" lines, put together piece by piece.
class Defines {
public:
    Defines& add(std::string_view name, long long value);
    Defines& add_float(std::string_view name, double value);  ///< a float literal that reads back exactly
    Defines& add_lines(std::string_view lines);
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// kernels/image.cl: sizes, types, border, renormalisation.
[[nodiscard]] std::string image_defines(const Plan& plan);

/// kernels/spectrum.cl, and what both ends of a pass know of the planes.
[[nodiscard]] std::string spectrum_defines(const Plan& plan);

/// 1 / (P Q), and 1/2 for each of the two splits (image and PSF), which leave a factor of 2 behind.
[[nodiscard]] double result_scale(const Plan& plan);

}  // namespace clconv
