// SPDX-License-Identifier: Apache-2.0
// The header of a result, known before the image is convolved.
#pragma once

#include "conv/problem.h"
#include "image/image_header.h"

namespace clconv {

/// The form of a result's samples. The engine computes them as `type` and `light`; a file stores them as `stored_type`.
struct ResultSamples {
    SampleType type = SampleType::float32;
    FileType stored_type = FileType::float32;
    Light light = Light::stored;  ///< of the engine's view of the input
};

/// The input's own, for results that are copies.
[[nodiscard]] ResultSamples samples_of(const ImageHeader& input);

/// The header of `problem`'s result: the input's, with another size, place and other samples. It is the same for whole
/// images, bands and parts. Facts about reading the input (warnings, damage) are left out.
[[nodiscard]] ImageHeader result_header(const ImageHeader& input, const Problem& problem, const ResultSamples& samples);

}  // namespace clconv
