// SPDX-License-Identifier: Apache-2.0
// The programs that images of any size use on a device, to build them in advance and to count them.
#pragma once

#include "conv/problem.h"
#include "engine/image_problem.h"
#include "passes/recipes.h"
#include "psf/psf.h"

#include <vector>

namespace clconv {

/// The programs of plans without forced decisions, for `like`'s samples, channels, border, mode, precision and PSF, and
/// images of any size. A CPU has a tile, and both passes for lines of any length. A GPU has both passes for each length
/// on the menu (plan/gpu_menu.h), and its tiles. Each program is listed once, the most likely ones first. Throws
/// InvalidProblem if no image has a plan.
[[nodiscard]] std::vector<Recipe> menu_programs(const Problem& like, const DeviceTraits& traits);

/// The same for images like `whole` and the settings' work.
[[nodiscard]] std::vector<Recipe> menu_programs(const Problem& whole, const Psf& psf, const Channels& channels,
                                                const ConvolveSettings& settings, const DeviceTraits& traits);

/// Adds programs of `more` that are not in `programs`. Programs with the same text are the same.
void add_programs(std::vector<Recipe>& programs, const std::vector<Recipe>& more);

}  // namespace clconv
