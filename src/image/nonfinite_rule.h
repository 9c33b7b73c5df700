// SPDX-License-Identifier: Apache-2.0
// The rules for samples that are not finite: `--nonfinite`.
#pragma once

#include "base/names.h"

namespace clconv {

enum class NonFiniteRule {
    error,        ///< the image fails
    zero,         ///< they count as 0
    interpolate,  ///< they count as missing: engine/missing_samples.h
    propagate,    ///< they are convolved as they are
};
template <>
inline constexpr auto kNames<NonFiniteRule> =
    std::to_array<Named<NonFiniteRule>>({{"error", NonFiniteRule::error},
                                         {"zero", NonFiniteRule::zero},
                                         {"interpolate", NonFiniteRule::interpolate},
                                         {"propagate", NonFiniteRule::propagate}});

/// Whether a rule makes all convolved samples finite, so that results must be finite too.
[[nodiscard]] constexpr bool judges_results(NonFiniteRule rule)
{
    return rule == NonFiniteRule::error || rule == NonFiniteRule::zero;
}

}  // namespace clconv
