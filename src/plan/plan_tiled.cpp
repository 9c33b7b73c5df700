// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_tiled.h"

#include "base/ceil_div.h"
#include "base/errors.h"
#include "fft/lane_line.h"
#include "plan/cost.h"
#include "plan/plan_lanes.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {
namespace {

/// A tile for kernels/tiled.cl (two stages an axis) or kernels/tiled_lanes.cl (square, radices up to 8).
/// docs/decisions/007-tile-sizes.md
struct Shape {
    Extent size;
    std::vector<int> radices_x;
    std::vector<int> radices_y;
    int items;
    /// Whether it is chosen by default. Each tile is one more program, which takes a second or two to compile.
    enum class Menu { always, never, in_place_of_larger } menu = Menu::always;
};

const std::vector<Shape>& shapes(int lanes)
{
    static const std::vector<Shape> kShared{
        {{32, 32}, {4, 8}, {8, 4}, 128}, {{32, 64}, {4, 8}, {8, 8}, 128},   {{64, 32}, {8, 8}, {4, 8}, 128},
        {{64, 64}, {8, 8}, {8, 8}, 256}, {{96, 96}, {12, 8}, {8, 12}, 384},
    };
    static const std::vector<Shape> kOwned{
        {{32, 32}, {8, 4}, {8, 4}, 1, Shape::Menu::never},
        {{64, 64}, {8, 8}, {8, 8}, 1, Shape::Menu::in_place_of_larger},
        {{128, 128}, {8, 4, 4}, {8, 4, 4}, 1, Shape::Menu::in_place_of_larger},
        {{192, 192}, {8, 6, 4}, {8, 6, 4}, 1},
        {{256, 256}, {8, 8, 4}, {8, 8, 4}, 1, Shape::Menu::in_place_of_larger},
        {{320, 320}, {8, 8, 5}, {8, 8, 5}, 1},
    };
    return lanes > 1 ? kOwned : kShared;
}

constexpr std::uint64_t kComplexBytes = 8;

/// The part of a tile's side that is result; whole vectors if lanes store it.
int valid_part(int side, int taps, int step) { return (side - taps + 1) / step * step; }

std::uint64_t local_bytes(const Shape& shape, int lanes, bool split)
{
    const auto width = static_cast<std::uint64_t>(shape.size.width);
    const auto height = static_cast<std::uint64_t>(shape.size.height);
    // The tile, and a vector of its rows while they are transformed.
    if (lanes > 1)
        return (lane_tile_pitch(shape.size.height) * width + width * static_cast<std::uint64_t>(lanes)) * kComplexBytes;
    return tile_pitch(shape.size.width) * height * (split ? kComplexBytes / 2 : kComplexBytes);
}

/// Whether it is on the menu of this device. On CPUs with small caches, PoCL gives so little local memory that 192x192,
/// or a smaller one, is the largest tile.
bool is_on_menu(const Shape& shape, int lanes, const DeviceTraits& traits)
{
    if (shape.menu != Shape::Menu::in_place_of_larger) return shape.menu == Shape::Menu::always;
    return std::ranges::none_of(shapes(lanes), [&](const Shape& other) {
        return other.size.width > shape.size.width && local_bytes(other, lanes, false) <= traits.local_memory;
    });
}

/// Whether work-items fill whole lines along both axes, and each has whole butterflies in every stage.
bool comes_out_even(const Shape& shape, int lanes)
{
    if (lanes > 1) return shape.items == 1;
    const int values = static_cast<int>(shape.size.pixels()) / shape.items;
    bool even = shape.items % shape.size.width == 0 && shape.items % shape.size.height == 0;
    for (const auto& radices : {shape.radices_x, shape.radices_y})
        for (const int radix : radices) even = even && values % radix == 0;
    return even;
}

std::optional<TilePlan> with_shape(const Shape& shape, const Window& x, const Window& y, const DeviceTraits& traits,
                                   int lanes)
{
    if (static_cast<std::uint64_t>(shape.items) > traits.max_work_group) return std::nullopt;
    TilePlan tiles;
    tiles.size = shape.size;
    tiles.radices_x = shape.radices_x;
    tiles.radices_y = shape.radices_y;
    tiles.lanes = lanes;
    tiles.items = shape.items;
    tiles.x = x;
    tiles.y = y;
    tiles.valid = {valid_part(shape.size.width, x.taps, lanes > 1 ? kLanes : 1),
                   valid_part(shape.size.height, y.taps, 1)};
    // A tile is not worth it if results are less than an eighth of a side.
    if (8 * tiles.valid.width < shape.size.width || 8 * tiles.valid.height < shape.size.height) return std::nullopt;
    tiles.across = ceil_div(x.output, tiles.valid.width);
    tiles.down = ceil_div(y.output, tiles.valid.height);
    for (const bool split : {false, true}) {
        if (split && lanes > 1) break;
        tiles.split = split;
        tiles.local_bytes = local_bytes(shape, lanes, split);
        if (tiles.local_bytes <= traits.local_memory) return tiles;
    }
    return std::nullopt;
}

constexpr double kFarTile = 1.2;

/// The cost of a result in a large image. With lanes, the PSF alone decides its tile, so that a folder of any sizes
/// needs one program. A tile and its transfer that do not fit the second cache cost more. PoCL's local memory is as
/// large as that cache.
double cost_of_a_result(const TilePlan& tiles, const DeviceTraits& traits)
{
    TilePlan large = tiles;
    large.x.output = tiles.valid.width;
    large.y.output = 2 * tiles.valid.height;
    large.across = 1;
    large.down = 2;
    const std::uint64_t used = tiles.local_bytes + tiles.size.pixels() * kComplexBytes;
    const double far = traits.is_cpu && used > traits.local_memory ? kFarTile : 1;
    return far * tiles_cost(large, traits) / (static_cast<double>(large.x.output) * large.y.output);
}

}  // namespace

int tile_lanes(const DeviceTraits& traits, const Decisions& decisions)
{
    return decisions.lanes.value_or(lanes_of(traits));
}

std::optional<TilePlan> plan_tiles(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions,
                                   int lanes)
{
    if (problem.precision == Precision::float64) return std::nullopt;
    const Window x = window_of(along_x(problem));
    const Window y = window_of(along_y(problem));
    std::optional<TilePlan> best;
    for (const Shape& shape : shapes(lanes)) {
        if (decisions.tile ? *decisions.tile != shape.size : !is_on_menu(shape, lanes, traits)) continue;
        Shape requested = shape;
        requested.items = decisions.tile_items.value_or(shape.items);
        if (!comes_out_even(requested, lanes)) continue;
        const auto tiles = with_shape(requested, x, y, traits, lanes);
        if (tiles && (!best || cost_of_a_result(*tiles, traits) < cost_of_a_result(*best, traits))) best = tiles;
    }
    return best;
}

void check_tile_precision(Precision precision, const Decisions& decisions)
{
    const bool wants_tiles = decisions.method ? *decisions.method == Method::tiled : decisions.tile.has_value();
    if (precision == Precision::float64 && wants_tiles)
        throw InvalidProblem(
            "--method tiled: tiles are computed in float; with --precision double use --method fft or direct");
}

TilePlan required_tiles(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions)
{
    const int lanes = tile_lanes(traits, decisions);
    if (auto tiles = plan_tiles(problem, traits, decisions, lanes)) return *std::move(tiles);
    check_tile_precision(problem.precision, decisions);
    if (decisions.tile && std::ranges::find(shapes(lanes), *decisions.tile, &Shape::size) == shapes(lanes).end())
        throw InvalidProblem(fmt::format("tile={}: there is none with lanes={}; tiles are {}",
                                         to_string(*decisions.tile), lanes, tile_sizes_text(lanes)));
    throw InvalidProblem(fmt::format(
        "--method tiled: a PSF of {} fits no tile{} of this device ({} bytes of local memory, {} work-items; tiles are "
        "{}); use --method fft",
        to_string(problem.psf), decisions.tile ? " of " + to_string(*decisions.tile) : "", traits.local_memory,
        traits.max_work_group, tile_sizes_text(lanes)));
}

double tiles_cost(const TilePlan& tiles, const DeviceTraits& traits)
{
    double stages = 0;
    for (const auto& radices : {tiles.radices_x, tiles.radices_y})
        for (const int radix : radices) stages += tile_stage_cost(radix, tiles.split, traits);
    // Two tiles are one complex transform, forward and inverse.
    return static_cast<double>(tiles.pairs()) * static_cast<double>(tiles.size.pixels()) * 2 * stages +
           static_cast<double>(tiles.x.output) * tiles.y.output * launch_cost(traits);
}

std::vector<Extent> tile_sizes()
{
    std::vector<Extent> sizes;
    for (const int lanes : {1, kLanes})
        for (const Shape& shape : shapes(lanes))
            if (std::ranges::find(sizes, shape.size) == sizes.end()) sizes.push_back(shape.size);
    return sizes;
}

std::string tile_sizes_text(int lanes)
{
    std::vector<std::string> sizes;
    for (const Shape& shape : shapes(lanes)) sizes.push_back(to_string(shape.size));
    return fmt::format("{}", fmt::join(sizes, ", "));
}

}  // namespace clconv
