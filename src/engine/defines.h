// The defines that the kernels share, from a plan.
#pragma once

#include "plan/plan.h"

#include <string>
#include <string_view>

namespace clconv {

/// Text of "#define NAME VALUE" lines, put together piece by piece.
class Defines {
public:
    Defines& add(std::string_view name, long long value);
    Defines& add_lines(std::string_view lines);
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// kernels/complex.cl: what is computed in, and how its values are stored.
[[nodiscard]] std::string precision_define(Precision precision);

/// kernels/samples.cl, kernels/image.cl: what loads know of the image, and what stores know of the result.
[[nodiscard]] std::string input_defines(const Problem& problem);
[[nodiscard]] std::string output_defines(const Problem& problem);

/// kernels/spectrum.cl.
[[nodiscard]] std::string spectrum_defines(const Spectrum& spectrum);

}  // namespace clconv
