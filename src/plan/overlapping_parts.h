// SPDX-License-Identifier: Apache-2.0
// An image that is too large for a device is worked on in parts that overlap, each as an image by itself.
//
//     | halo | new samples | halo |
//                    | halo | new samples | halo |
//
// Unlike the pieces of a convolution (plan/pieces.h), parts do not give the results of the whole: a work that reaches
// far finds less around them. The halo makes the difference small.
#pragma once

#include "plan/pieces.h"

#include <functional>

namespace clconv {

struct OverlappingParts {
    Extent image;
    Extent halo;         ///< on each side of what is new, as far as there is an image
    Cuts columns, rows;  ///< of what is new

    /// The extent of every part, with its halo.
    [[nodiscard]] Extent extent() const;
    /// The first sample of a part, and of what is new in it.
    [[nodiscard]] Position first(int column, int row) const;
    [[nodiscard]] Position first_new(int column, int row) const { return {columns.first(column), rows.first(row)}; }
    [[nodiscard]] int count() const { return columns.count() * rows.count(); }
};

/// The fewest parts whose extent `fits`. Throws TooLarge if what is new would be smaller than the halo along an
/// axis that is cut.
[[nodiscard]] OverlappingParts overlapping_parts(Extent image, Extent halo, const std::function<bool(Extent)>& fits);

}  // namespace clconv
