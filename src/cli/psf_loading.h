// PSFs made ready to convolve with: files, and PSFs in words.
#pragma once

#include "cli/problem_options.h"
#include "psf/psf.h"
#include "report/events.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// Reads or makes a PSF, then as far as `settings` ask for it: subtracts the background (of files), places the origin,
/// trims, averages and normalises it, in this order. `size`: of a PSF in words. Tells `sink` the origin, with a warning
/// when the centroid lies more than one pixel from it.
/// Throws InvalidProblem naming the file that cannot be read or the words that make no sense.
[[nodiscard]] Psf load_psf(const std::string& psf, const PsfSettings& settings, std::optional<int> size, Sink& sink);

[[nodiscard]] std::vector<std::shared_ptr<const Psf>> load_psfs(const std::vector<std::string>& psfs,
                                                                const PsfSettings& settings, Sink& sink);

}  // namespace clconv
