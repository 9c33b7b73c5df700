// SPDX-License-Identifier: Apache-2.0
// The rules for alpha: `--alpha`.
#pragma once

#include "base/names.h"

namespace clconv {

enum class AlphaRule {
    convolve,  ///< alpha is a channel like the others
    keep,      ///< colours are convolved, alpha stays
};
template <>
inline constexpr auto kNames<AlphaRule> = std::to_array<Named<AlphaRule>>({{"convolve", AlphaRule::convolve},
                                                                           {"keep", AlphaRule::keep}});

}  // namespace clconv
