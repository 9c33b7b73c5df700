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

/// The area, positive whichever way round the corners are listed.
[[nodiscard]] double area(std::span<const Point> polygon);

/// The area of each of the frame's pixels that lies inside, 0 to 1, row by row; exact but for rounding. Any simple
/// polygon. Every edge adds what it leaves to its right, row by row, and a running sum over the row makes areas of it:
/// the time is that of the edges' length and of the frame.
[[nodiscard]] std::vector<double> coverage(std::span<const Point> polygon, const Frame& frame);

}  // namespace clconv
