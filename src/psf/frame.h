// SPDX-License-Identifier: Apache-2.0
// The positions of the pixels of a generated PSF: pixel (x, y) is the unit square around (x - origin.x, y - origin.y),
// in a plane whose point (0, 0) is the PSF's centre. x grows to the right, y downwards; angles are clockwise from x.
#pragma once

#include "base/extent.h"

namespace clconv {

struct Frame {
    Extent extent;
    Position origin;

    /// The pixel's centre in the plane.
    [[nodiscard]] double x_of(int column) const { return column - origin.x; }
    [[nodiscard]] double y_of(int row) const { return row - origin.y; }
};

/// An odd frame with its centre in the middle that covers the rectangle -half.x .. half.x, -half.y .. half.y.
struct HalfSize {
    double x = 0;
    double y = 0;
};

}  // namespace clconv
