// SPDX-License-Identifier: Apache-2.0
// Results that scikit-image's conventions cut to [-1, 1].
#pragma once

#include "base/bytes.h"

#include <algorithm>

namespace clconv {

/// `samples`: floats. NaN stays.
inline void cut_to_unit(Bytes& samples)
{
    for (float& sample : samples.as<float>()) sample = std::clamp(sample, -1.0F, 1.0F);
}

}  // namespace clconv
