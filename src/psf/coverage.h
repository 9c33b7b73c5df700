// SPDX-License-Identifier: Apache-2.0
// The exact area that a polygon covers of each pixel.
#pragma once

#include "psf/frame.h"

#include <span>
#include <vector>

namespace clconv {

struct Point {
    double x = 0;
    double y = 0;
};

/// The area; positive whether the corners go clockwise or counter-clockwise.
[[nodiscard]] double area(std::span<const Point> polygon);

/// The part of each of the frame's pixels that is inside, 0 to 1, row by row, exact except for rounding. For any simple
/// polygon. Every edge adds the area to its right, row by row, and a running sum over each row gives the areas. So the
/// time depends on the length of the edges and the size of the frame.
[[nodiscard]] std::vector<double> coverage(std::span<const Point> polygon, const Frame& frame);

}  // namespace clconv
