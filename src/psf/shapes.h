// SPDX-License-Identifier: Apache-2.0
// Outlines of apertures.
#pragma once

#include "psf/coverage.h"
#include "psf/kinds.h"

#include <vector>

namespace clconv {

/// An aperture of blades. Its outline is between a regular polygon and the circle through its corners: at every angle,
/// `round` of the way from polygon to circle.
struct BladedShape {
    double radius = 1;    ///< of the circle through the corners, pixels
    int blades = 6;       ///< at least 3
    double rotation = 0;  ///< of a corner, degrees clockwise from the right
    double round = 0;     ///< 0 straight blades, 1 a circle
};

[[nodiscard]] std::vector<Point> regular_outline(const BladedShape& shape);

/// A circle as a polygon of the same area.
[[nodiscard]] std::vector<Point> circle_outline(double radius);

/// The arguments blades, rotation and round.
[[nodiscard]] BladedShape bladed_shape(const KindArguments& arguments, double radius);

}  // namespace clconv
