// SPDX-License-Identifier: Apache-2.0
// Replaces the convolved alpha by the input's: `--alpha keep`.
#pragma once

#include "base/image_view.h"
#include "conv/problem.h"
#include "image/alpha_rule.h"

#include <functional>
#include <optional>
#include <string_view>

namespace clconv {

/// A convolution whose alpha is copied from the image instead of being convolved.
struct KeptAlpha {
    Problem problem;  ///< of the whole image
    int channel = 0;  ///< the index of alpha

    /// Writes the alpha of the output rows `first` .. `first` + `count` - 1 into their samples, `result`. `row(y)`
    /// returns the samples of an input row; it is called only for rows that are output rows too. Outside of the input
    /// (mode full), alpha is transparent.
    void write(int first, int count, const std::function<const std::byte*(int y)>& row, std::byte* result) const;
};

}  // namespace clconv
