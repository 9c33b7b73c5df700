// SPDX-License-Identifier: Apache-2.0
// From the samples of a PSF to one that can be used: its values, its extent, its scale and its origin.
#pragma once

#include "base/messages.h"
#include "psf/psf.h"
#include "settings/problem_options.h"

#include <string>

namespace clconv {

/// Subtracts the background, limits values and raises them to a power, in this order, if `settings` say so.
/// `name`: for `messages`. Throws InvalidProblem.
[[nodiscard]] Psf with_changed_values(Psf psf, const PsfSettings& settings, const std::string& name,
                                      Messages& messages);

/// Places the origin, and trims, averages and normalises the PSF, as `settings` say. Throws InvalidProblem.
[[nodiscard]] Psf scaled(Psf psf, const PsfSettings& settings, const std::string& name, Messages& messages);

/// Tells the origin, and warns if the centroid is more than one pixel from it.
void report_origin(const std::string& name, const Psf& psf, Messages& messages);

}  // namespace clconv
