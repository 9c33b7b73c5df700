// The unit of a batch: one input convolved with one PSF into one output.
#pragma once

#include "report/events.h"

#include <cstddef>

namespace clconv {

struct Item {
    ItemInfo info;
    std::size_t psf = 0;  ///< index among the run's PSFs
    bool skip = false;    ///< its output exists and stays
};

}  // namespace clconv
