// SPDX-License-Identifier: Apache-2.0
// The sizes of a plan as kernel arguments (kernels/sizes.cl), and as constants of special programs.
#pragma once

#include "plan/plan.h"

#include <string>

namespace clconv {

namespace kernel_text {
#include "../../kernels/sizes.cl"
}
using Sizes = kernel_text::sizes;

/// The longest lines that several images may have in one launch.
inline constexpr int kMaxSharedLength = MAX_SHARED_LENGTH;

/// The factor of the column pass's results: 1, except for half's range (plan/half_range.h).
[[nodiscard]] double column_scale(const FftPlan& fft, Precision precision);

[[nodiscard]] Sizes sizes_of(const Plan& plan);

/// The define that makes a program special to these sizes.
[[nodiscard]] std::string constant_sizes_define(const Sizes& sizes);

}  // namespace clconv
