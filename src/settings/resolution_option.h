// SPDX-License-Identifier: Apache-2.0
// --resolution of `bloom` and `warm`: the size at which highlights are convolved.
#pragma once

#include "base/names.h"

namespace clconv {

enum class Resolution { full, half, quarter };
template <>
inline constexpr auto kNames<Resolution> = std::to_array<Named<Resolution>>({{"1", Resolution::full},
                                                                             {"1/2", Resolution::half},
                                                                             {"1/4", Resolution::quarter}});

/// How many pixels of the image, along each axis, are one of that resolution: 1, 2 or 4.
[[nodiscard]] constexpr int shrink_of(Resolution resolution) { return 1 << static_cast<int>(resolution); }

}  // namespace clconv
