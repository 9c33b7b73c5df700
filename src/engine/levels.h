// The numbers of one image that its row passes read beside the samples: levels, and under --precision half scales.
#pragma once

#include "base/bytes.h"
#include "engine/engine.h"

#include <vector>

namespace clconv {

/// As kernels/image.cl reads them, packed as scalars of the plan's precision.
struct LevelScalars {
    Bytes bias;     ///< [channels] subtracted from the samples; half: then the scale of what is left
    Bytes restore;  ///< [channels] added to the result, then [channels] the scale of the result before that
};

/// What undoes the factors that a method's transforms leave: 1 over the padded samples, and 1/2 for each of the two
/// splits (image and PSF) of three launches. 1 for sums by their definition.
[[nodiscard]] double result_scale(const Plan& plan);

/// `bias`: bias_of() the image; `magnitude`: largest_magnitude() of it, read for half only.
[[nodiscard]] LevelScalars level_scalars(const Plan& plan, const std::vector<float>& bias, double magnitude,
                                         const PreparedPsf& psf);

}  // namespace clconv
