// The numbers of one image that its row passes read beside the samples: levels, and under --precision half scales.
#pragma once

#include "base/bytes.h"
#include "engine/engine.h"

#include <vector>

namespace clconv {

/// As kernels/image.cl reads them, packed as scalars of the plan's precision.
struct LevelScalars {
    Bytes bias;     ///< [channels] subtracted from the samples; half: then the scale of what is left
    Bytes restore;  ///< [channels] added to the result; half: then [channels] the scale of the result before that
};

/// `bias`: bias_of() the image; `magnitude`: largest_magnitude() of it, read for half only.
[[nodiscard]] LevelScalars level_scalars(const Plan& plan, const std::vector<float>& bias, double magnitude,
                                         const PreparedPsf& psf);

}  // namespace clconv
