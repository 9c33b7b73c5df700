// SPDX-License-Identifier: Apache-2.0
// Estimates the noise in a result of --precision half, and whether the output file would show it.
//
// Values between the passes are stored as halves, which have 11 significant bits. Rounding a row's spectrum gives
// errors that are proportional to the row's root mean square and spread evenly over the row. The PSF's columns carry
// them into the result. Rounding the result's own rows adds more. So one bright light makes its rows noisy, even where
// they are dark.
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
    double noise = 0;  ///< root mean square of the errors in the noisiest row of any channel
    double step = 0;   ///< between neighbouring numbers of the output type; for floats, between halves as large as a
                       ///< typical result
};

/// The noise of convolving `image`, from which `bias` ([channels]) was subtracted, by `plan`. `support`: the PSF's.
/// `result`: the samples that came out.
[[nodiscard]] HalfNoise half_noise(const Plan& plan, const ImageView& image, std::span<const double> bias,
                                   const PsfSupport& support, const std::byte* result);

/// The warning to show, if the noise is larger than a step.
[[nodiscard]] std::optional<std::string> noise_warning(const HalfNoise& noise);

}  // namespace clconv
