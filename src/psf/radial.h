// SPDX-License-Identifier: Apache-2.0
// PSFs that are equal in all directions. One eighth of the pixels is integrated; the others are mirror images.
#pragma once

#include "psf/pixel_integral.h"
#include "psf/profile.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

namespace clconv {

/// The scale of details in a radial density.
struct Detail {
    double length = 1;  ///< pixels: the smallest feature between the two radii; elsewhere it changes slowly
    double within = 0;  ///< the outer radius
    double from = 0;    ///< the inner radius
};

/// The integrals of density(r) over the frame's pixels. `density` integrates to 1 over the plane.
template <class Density>
[[nodiscard]] std::vector<double> radial_integrals(const Density& density, const Detail& detail, const Frame& frame)
{
    const auto at = [&](double x, double y) { return density(std::hypot(x, y)); };
    const int across = std::max(frame.origin.x, frame.extent.width - 1 - frame.origin.x);
    const int down = std::max(frame.origin.y, frame.extent.height - 1 - frame.origin.y);
    const auto [small, large] = std::minmax({across, down});
    // octant[(x, y)], 0 <= y <= x: rows of x, cut off where the frame's shorter side ends.
    std::vector<std::vector<double>> octant(static_cast<std::size_t>(large) + 1);
    for (int x = 0; x <= large; ++x)
        for (int y = 0; y <= std::min(x, small); ++y) {
            const bool fine = std::hypot(std::max(x - 0.5, 0.0), std::max(y - 0.5, 0.0)) < detail.within &&
                              std::hypot(x + 0.5, y + 0.5) > detail.from;
            octant[x].push_back(pixel_integral(at, x, y, fine ? detail.length : 1));
        }
    std::vector<double> integrals;
    integrals.reserve(frame.extent.pixels());
    for (int row = 0; row < frame.extent.height; ++row)
        for (int column = 0; column < frame.extent.width; ++column) {
            const auto [near, far] = std::minmax({std::abs(column - frame.origin.x), std::abs(row - frame.origin.y)});
            integrals.push_back(octant[far][near]);
        }
    return integrals;
}

}  // namespace clconv
