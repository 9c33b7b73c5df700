// PSF files made ready to convolve with.
#pragma once

#include "cli/problem_options.h"
#include "psf/psf.h"
#include "report/events.h"

#include <memory>
#include <string>
#include <vector>

namespace clconv {

/// Reads, averages, normalises and places each PSF, in this order, and tells `sink` the origin of each, with a warning
/// when the centroid lies more than one pixel from it.
/// Throws InvalidProblem naming the file that cannot be read or normalised.
[[nodiscard]] std::vector<std::shared_ptr<const Psf>> load_psfs(const std::vector<std::string>& files,
                                                                const PsfSettings& settings, Sink& sink);

}  // namespace clconv
