// SPDX-License-Identifier: Apache-2.0
// The unit of a batch: one input convolved with one PSF into one output.
#pragma once

#include "base/existing.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace clconv {

/// One image to make: one input convolved with one PSF.
struct ItemInfo {
    std::size_t index = 0;  ///< in the sorted list of all shards' items, from 0
    std::filesystem::path input;
    std::filesystem::path output;
    std::string psf;
    std::optional<int> part = {};  ///< the only part of the input to make, counted from 0; none: as --parts says
};

struct Item {
    ItemInfo info;
    std::size_t psf = 0;                      ///< index among the run's PSFs
    bool skip = false;                        ///< its output exists and stays
    Existing existing = Existing::overwrite;  ///< what to do with an output that somebody else makes during the run
};

}  // namespace clconv
