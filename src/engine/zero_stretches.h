// Finds where a convolution gives exactly zero: where every sample that the PSF reaches is zero.
//
// The host looks for stretches of zeros in the image's rows, and keeps of them what the whole PSF fits into. A row of
// the image is looked at once; what fits is found by intersecting stretches, the longest rows of the PSF first, so that
// images without such places cost next to nothing. It reads samples and writes none.
#pragma once

#include "engine/zero_rule.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace clconv {

/// Positions side by side, both included.
struct Stretch {
    int first;
    int last;
};
using Stretches = std::vector<Stretch>;

/// Returns the samples of an image row.
using ZeroRow = std::function<const std::byte*(int row)>;

/// [row][channel] where output rows `first` .. `first` + `count` - 1 are zero, from left to right; empty if the image
/// and its border have no zeros. `row`: asked for what these rows see.
[[nodiscard]] std::vector<Stretches> zero_stretches(const ZeroRule& rule, int first, int count, const ZeroRow& row);

}  // namespace clconv
