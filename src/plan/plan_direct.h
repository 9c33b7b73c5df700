// The plan of the direct method: how work-groups share the result, and what each of them looks at.
#pragma once

#include "conv/window.h"
#include "plan/device_traits.h"

#include <cstdint>

namespace clconv {

struct DirectPlan {
    /// Whether a work-group sums a block of the result from local memory (kernels/direct.cl); else each work-item sums
    /// one sample from global memory (kernels/direct_any.cl), because what a block looks at does not fit.
    bool blocks = false;
    Extent results;         ///< of a work-item, at a time
    Extent items;           ///< work-items of a work-group
    Extent turns;           ///< how often each works, further right and further down
    Extent block;           ///< of the result, a work-group's
    int across = 0;         ///< blocks from left to right, ...
    int down = 0;           ///< ... and from top to bottom
    int pitch = 0;          ///< cells of local memory from one row to the next
    bool unrolled = false;  ///< every tap is written out
    std::uint64_t local_bytes = 0;
    Window x;
    Window y;
    friend bool operator==(const DirectPlan&, const DirectPlan&) = default;

    /// Positions of the extended image that blocks see. Rows are loaded in whole vectors: the last one may reach behind
    /// what the results look at.
    [[nodiscard]] int positions_x() const { return (across - 1) * block.width + pitch; }
    [[nodiscard]] int positions_y() const { return down * block.height + y.taps - 1; }
};

[[nodiscard]] DirectPlan plan_direct(const Problem& problem, const DeviceTraits& traits);

}  // namespace clconv
