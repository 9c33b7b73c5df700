// SPDX-License-Identifier: Apache-2.0
// Finds where a convolution gives exactly zero: where every sample that the PSF reaches is zero.
//
// The host looks for stretches of zeros in the image's rows, once in each row. It then intersects the stretches that
// the rows of the PSF reach, the longest rows of the PSF first. So images without such places cost next to nothing. It
// reads samples and writes none.
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
/// and its border have no zeros. `row` returns the image rows that they depend on.
[[nodiscard]] std::vector<Stretches> zero_stretches(const ZeroRule& rule, int first, int count, const ZeroRow& row);

}  // namespace clconv
