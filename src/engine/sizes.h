// The sizes of a plan as kernels take them (kernels/sizes.cl), and as constants for programs that are made for them.
#pragma once

#include "plan/plan.h"

#include <string>

namespace clconv {

namespace kernel_text {
#include "../../kernels/sizes.cl"
}
using Sizes = kernel_text::sizes;

/// What the column pass multiplies what it stores by: 1 but for half's range (plan/half_range.h).
[[nodiscard]] double column_scale(const FftPlan& fft, Precision precision);

[[nodiscard]] Sizes sizes_of(const Plan& plan);

/// The define that makes a program one for these sizes alone.
[[nodiscard]] std::string constant_sizes_define(const Sizes& sizes);

}  // namespace clconv
