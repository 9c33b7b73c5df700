// SPDX-License-Identifier: Apache-2.0
// The plan of the tiled method: overlap-save in one launch.
//
// A tile of the extended image is loaded, transformed, multiplied by the PSF's spectrum and transformed back in place.
// The part of it that no wrapped sample has reached is the result. Two tiles of one channel are the real and the
// imaginary part of one complex transform, and the product with a real PSF's spectrum does not mix them.
#pragma once

#include "base/ceil_div.h"
#include "base/device_traits.h"
#include "conv/window.h"
#include "plan/decisions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

struct TilePlan {
    Extent size;     ///< samples that are transformed
    Extent valid;    ///< results of a tile: size minus PSF plus 1, or a little less
    int across = 0;  ///< tiles from left to right, ...
    int down = 0;    ///< ... and from top to bottom
    std::vector<int> radices_x;
    std::vector<int> radices_y;
    int lanes = 1;       ///< 1: a work-group shares a tile; 8, 16: a work-item owns it, in vectors (CPUs)
    int items = 1;       ///< work-items of a work-group
    bool split = false;  ///< exchange real and imaginary parts one after the other, in half the local memory
    std::uint64_t local_bytes = 0;
    Window x;
    Window y;
    friend bool operator==(const TilePlan&, const TilePlan&) = default;

    /// Whether a work-item owns a tile.
    [[nodiscard]] bool by_lanes() const { return lanes > 1; }
    [[nodiscard]] int pairs() const { return ceil_div(across * down, 2); }
    /// Positions of the extended image that tiles need: up to the last tile's last sample.
    [[nodiscard]] int positions_x() const { return (across - 1) * valid.width + size.width; }
    [[nodiscard]] int positions_y() const { return (down - 1) * valid.height + size.height; }
};

/// The cells of local memory from one row of a tile to the next. Odd, so that columns spread over all banks.
[[nodiscard]] constexpr int tile_pitch(int width) { return width + 1; }
/// With lanes: values from one vector of columns to the next. Not a power of two, because of the cache's sets.
[[nodiscard]] constexpr int lane_tile_pitch(int height) { return height + 2; }

/// The default: on a CPU a work-item owns a tile, in vectors (8 or 16); elsewhere work-items share it (1).
[[nodiscard]] int tile_lanes(const DeviceTraits& traits, const Decisions& decisions);

/// The cheapest tile with the shape of `lanes` (1: work-items share a tile; more: one owns it), or the forced one of
/// decisions.tile. None if the PSF fits no tile that fits the device. None in double, because tiles compute in float;
/// half computes in float too, since nothing is stored between passes.
[[nodiscard]] std::optional<TilePlan> plan_tiles(const Problem& problem, const DeviceTraits& traits,
                                                 const Decisions& decisions, int lanes);

/// Throws InvalidProblem if `decisions` request tiles in double. Options are checked with it before an image is read.
void check_tile_precision(Precision precision, const Decisions& decisions);

/// The same as plan_tiles() with tile_lanes(). Throws InvalidProblem with the PSF, the tiles and the device's limits if
/// there is none.
[[nodiscard]] TilePlan required_tiles(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions);

/// The cost of such tiles for one channel, in the units of plan/cost.h.
[[nodiscard]] double tiles_cost(const TilePlan& tiles, const DeviceTraits& traits);

/// The sizes of all tiles, each once: first those that work-items share, then those that they own.
[[nodiscard]] std::vector<Extent> tile_sizes();

/// The tiles that plan_tiles() knows for this number of lanes: "32x32, 32x64, ...".
[[nodiscard]] std::string tile_sizes_text(int lanes);

}  // namespace clconv
