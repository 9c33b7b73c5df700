// SPDX-License-Identifier: Apache-2.0
// The defines that kernels share, made from a plan.
#pragma once

#include "plan/plan.h"

#include <string>
#include <string_view>

namespace clconv {

/// Builds a text of "#define NAME VALUE" lines.
class Defines {
public:
    Defines& add(std::string_view name, long long value);
    Defines& add_lines(std::string_view lines);
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// kernels/complex.cl: the type of the arithmetic, and of stored values.
[[nodiscard]] std::string precision_define(Precision precision);

/// kernels/samples.cl, image.cl and results.cl: what loads know about the image, and stores about the result.
[[nodiscard]] std::string input_defines(const Problem& problem);
[[nodiscard]] std::string output_defines(const Problem& problem);

/// kernels/spectrum.cl.
[[nodiscard]] std::string spectrum_defines(const Spectrum& spectrum);

}  // namespace clconv
