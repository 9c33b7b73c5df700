// What is known of an image's samples before they are convolved: whether results can be negative, or exactly zero.
#pragma once

#include "base/image_view.h"

#include <vector>

namespace clconv {

struct SampleFacts {
    std::vector<float> least;  ///< [channels], the smallest sample; NaN is passed over. Integers: 0, without a look
    bool has_zeros = true;     ///< some sample is zero. Integers: true, without a look
};

/// One walk through the samples.
[[nodiscard]] SampleFacts sample_facts(const ImageView& image);

}  // namespace clconv
