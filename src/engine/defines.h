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
    /// A literal that reads back exactly, as float or double.
    Defines& add_scalar(std::string_view name, double value, Precision precision);
    Defines& add_lines(std::string_view lines);
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// kernels/complex.cl: what is computed in, and how its values are stored.
[[nodiscard]] std::string precision_define(Precision precision);

/// kernels/image.cl: sizes, types, border, renormalisation.
[[nodiscard]] std::string image_defines(const Plan& plan);

/// kernels/spectrum.cl, and what both ends of a pass know of the planes.
[[nodiscard]] std::string spectrum_defines(const Plan& plan);

/// What the column pass multiplies what it stores by: 1 but for half's range (conv/half_range.h).
[[nodiscard]] double column_scale(const Plan& plan);

/// 1 / (P Q), 1 / column_scale(), and 1/2 for each of the two splits (image and PSF), which leave a factor of 2 behind.
[[nodiscard]] double result_scale(const Plan& plan);

}  // namespace clconv
