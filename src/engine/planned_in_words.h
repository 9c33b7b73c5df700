// SPDX-License-Identifier: Apache-2.0
// What clconv plan and --dry-run print about a problem.
#pragma once

#include "engine/convolver.h"

#include <string>

namespace clconv {

/// The plan that `settings.plans` has for a plain convolution, and where its decisions come from. If the device has too
/// little memory, the pieces. Throws TooLarge if no pieces fit, and as make_plan() does.
[[nodiscard]] std::string planned_in_words(const Problem& problem, const DeviceInfo& device,
                                           const ConvolveSettings& settings);

/// The same for the settings' work on an image that is held whole, whose `whole` is problem_of(). If the device has too
/// little memory, what bands_in_words() says. Throws as that does.
[[nodiscard]] std::string planned_in_words(const Problem& whole, const Psf& psf, const Channels& channels,
                                           const DeviceInfo& device, const ConvolveSettings& settings);

/// The pieces of an image that goes by bands, whose `whole` is problem_of(), and whose bands take at most `host_limit`
/// bytes. Before them, what the work warns of. Throws TooLarge if the work needs the whole image, or no pieces fit.
[[nodiscard]] std::string bands_in_words(const Problem& whole, const DeviceInfo& device,
                                         const ConvolveSettings& settings, std::uint64_t host_limit);

}  // namespace clconv
