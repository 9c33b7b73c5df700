// SPDX-License-Identifier: Apache-2.0
// The plan of the direct method: how work-groups share the result, and which samples each of them needs.
#pragma once

#include "base/device_traits.h"
#include "conv/window.h"

#include <cstdint>

namespace clconv {

struct DirectPlan {
    /// Whether a work-group sums a patch of the result from local memory (kernels/direct.cl). Otherwise the samples of
    /// a patch do not fit, and each work-item sums one sample from global memory (kernels/direct_any.cl).
    bool patches = false;
    Extent results;         ///< of a work-item, at a time
    Extent items;           ///< work-items of a work-group
    Extent turns;           ///< how often each work-item repeats, further right and further down
    Extent patch;           ///< of the result, a work-group's
    int across = 0;         ///< patches from left to right, ...
    int down = 0;           ///< ... and from top to bottom
    bool any_psf = false;   ///< the program takes all PSFs that `room` holds; otherwise only those of its size
    Extent room;            ///< taps
    int pitch = 0;          ///< cells of local memory from one row to the next
    bool unrolled = false;  ///< every tap is written out
    std::uint64_t local_bytes = 0;
    Window x;
    Window y;
    friend bool operator==(const DirectPlan&, const DirectPlan&) = default;

    /// Positions of the extended image that patches load. Rows are loaded in whole vectors: the last one may extend
    /// beyond the samples that the results need.
    [[nodiscard]] int positions_x() const { return (across - 1) * patch.width + pitch; }
    [[nodiscard]] int positions_y() const { return down * patch.height + y.taps - 1; }
};

[[nodiscard]] DirectPlan plan_direct(const Problem& problem, const DeviceTraits& traits);

}  // namespace clconv
