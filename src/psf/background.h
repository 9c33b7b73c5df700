// SPDX-License-Identifier: Apache-2.0
// The background of a measured PSF, which would act as light from everywhere: `--psf-background`.
#pragma once

#include "psf/psf.h"

#include <optional>
#include <string_view>

namespace clconv {

struct Background {
    std::optional<double> value;  ///< none: measured
};

/// Reads "auto" or a number. Throws InvalidProblem with the value found and the value wanted.
[[nodiscard]] Background parse_background(std::string_view text);

/// The median of the samples of `channel` in a frame around the edge, a sixteenth of the smaller side wide, but at
/// least one sample.
[[nodiscard]] double edge_median(const Psf& psf, int channel);

/// `psf` minus its background, in each channel. Negative values become 0.
[[nodiscard]] Psf without_background(Psf psf, const Background& background);

}  // namespace clconv
