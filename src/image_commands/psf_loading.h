// SPDX-License-Identifier: Apache-2.0
// Prepares PSFs for convolution: files, and PSFs in words.
#pragma once

#include "batch/psf_set.h"
#include "psf/psf.h"
#include "report/events.h"
#include "settings/problem_options.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// Reads or makes a PSF. Then, as `settings` say, subtracts the background, limits values and raises them to a power
/// (of files), places the origin, trims, averages and normalises it, in this order. `size`: of a PSF in words. Logs the
/// origin to `sink`, with a warning if the centroid is more than one pixel from it. Throws InvalidProblem with the file
/// that cannot be read, or the words that make no sense.
[[nodiscard]] Psf load_psf(const std::string& psf, const PsfSettings& settings, std::optional<int> size, Sink& sink);

[[nodiscard]] std::vector<std::shared_ptr<const Psf>> load_psfs(const std::vector<std::string>& psfs,
                                                                const PsfSettings& settings, Sink& sink);

/// The PSFs for images of each orientation and, with `fit`, of each height.
[[nodiscard]] PsfSet psf_set(std::vector<std::shared_ptr<const Psf>> psfs, const ProblemOptions& options,
                             PsfSet::Fit fit = {});

}  // namespace clconv
