// How noisy a result of --precision half is, and whether its file would show it.
//
// What is stored between the passes has the 11 digits of a half. The rounding errors of a row's spectrum are those of
// its root mean square, spread evenly over the row, and become those of the result by the PSF's columns; those of the
// row's result stay in it. So one bright light makes its rows noisy, however dark the rest of them is.
#pragma once

#include "base/image_view.h"
#include "plan/plan.h"
#include "psf/support.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clconv {

struct HalfNoise {
    double noise = 0;  ///< root mean square of the errors, in the noisiest rows of a channel
    double step = 0;   ///< between neighbouring numbers of the output: integers; or halves as large as most results
};

/// Of a convolution by `plan` of `image`, less `bias` ([channels]). `support`: of the PSF; `result`: its samples.
[[nodiscard]] HalfNoise half_noise(const Plan& plan, const ImageView& image, std::span<const float> bias,
                                   const PsfSupport& support, const std::byte* result);

/// A warning if the noise is more than a step.
[[nodiscard]] std::optional<std::string> noise_warning(const HalfNoise& noise);

}  // namespace clconv
