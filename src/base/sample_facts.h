// SPDX-License-Identifier: Apache-2.0
// Facts about an image's samples, found before it is convolved. They tell whether results can be negative or exactly
// zero.
#pragma once

#include "base/image_view.h"

#include <vector>

namespace clconv {

struct SampleFacts {
    std::vector<float> minimum;  ///< [channels], the smallest sample, NaN ignored. Always 0 for integers
    bool has_zeros = true;       ///< whether some sample is zero. Always true for integers
};

/// Reads every sample once.
[[nodiscard]] SampleFacts sample_facts(const ImageView& image);

}  // namespace clconv
