// The programs that images of any sizes use on a device, for building them in advance and for counting them.
#pragma once

#include "conv/problem.h"
#include "engine/recipes.h"

#include <vector>

namespace clconv {

/// Of the plans that nobody's decisions shape: for `like`'s samples, channels, border, mode, precision and PSF, and
/// images of any size. On a CPU that is a tile and both passes for any line; on a GPU both passes of each length on the
/// menu (plan/gpu_menu.h), and its tiles. Each once, in the order in which they are likely to be asked for.
[[nodiscard]] std::vector<Recipe> menu_programs(const Problem& like, const DeviceTraits& traits);

/// Adds those of `more` that `programs` lacks. Programs are the same if their text is.
void add_programs(std::vector<Recipe>& programs, const std::vector<Recipe>& more);

}  // namespace clconv
