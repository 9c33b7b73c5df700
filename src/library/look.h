// SPDX-License-Identifier: Apache-2.0
// What is to be known of an image's samples before it is convolved.
#pragma once

#include "base/image_view.h"
#include "base/sample_facts.h"
#include "image/nonfinite.h"

namespace clconv {

/// Samples below are small: their sums are far from the largest float.
inline constexpr double kSmallSample = 0x1p20;

struct Look {
    NonFinite bad;
    SampleFacts facts;      ///< as far as they were requested
    bool are_small = true;  ///< no sample is kSmallSample or more, or not finite
};

/// Reads the samples once, in pieces that stay in the processor's cache for all questions. `wants_facts`: SampleFacts
/// are requested.
[[nodiscard]] Look look_at(const ImageView& image, bool wants_facts);

}  // namespace clconv
