// SPDX-License-Identifier: Apache-2.0
#include "plan/overlapping_parts.h"

#include "base/ceil_div.h"
#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace clconv {
namespace {

int with_halo(const Cuts& cuts, int halo) { return std::min(cuts.total, cuts.size + 2 * halo); }

/// Parts at an edge have their whole extent inside of the image, so that all are equal.
int start_of(const Cuts& cuts, int halo, int i)
{
    return std::clamp(cuts.first(i) - halo, 0, cuts.total - with_halo(cuts, halo));
}

/// Cuts of a smaller size: one more of them, unless they become no smaller by that.
Cuts smaller(const Cuts& cuts) { return {cuts.total, std::min(cuts.size - 1, ceil_div(cuts.total, cuts.count() + 1))}; }

/// Whether parts of these cuts are little but their overlap. An axis that is not cut has no overlap.
bool are_little(const Cuts& cuts, int halo) { return cuts.size < cuts.total && cuts.size < halo; }

}  // namespace

Extent OverlappingParts::extent() const { return {with_halo(columns, halo.width), with_halo(rows, halo.height)}; }

Position OverlappingParts::first(int column, int row) const
{
    return {start_of(columns, halo.width, column), start_of(rows, halo.height, row)};
}

OverlappingParts overlapping_parts(Extent image, Extent halo, const std::function<bool(Extent)>& fits)
{
    OverlappingParts parts{image, halo, {image.width, image.width}, {image.height, image.height}};
    while (!fits(parts.extent())) {
        const bool is_wide =
            std::int64_t{parts.columns.size} * halo.height >= std::int64_t{parts.rows.size} * halo.width;
        Cuts& longer = is_wide ? parts.columns : parts.rows;
        longer = smaller(longer);
        if (are_little(parts.columns, halo.width) || are_little(parts.rows, halo.height))
            throw TooLarge(
                fmt::format("an image of {} does not fit the device, and its parts would be little but their "
                            "overlap of {}; raise --device-memory or --memory-limit",
                            to_string(image), to_string(halo)));
    }
    return parts;
}

}  // namespace clconv
