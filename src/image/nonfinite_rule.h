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

/// Whether results that do not fit their type are known to come from sums of finite samples. `has_nonfinite`: some
/// samples of the image are not finite.
[[nodiscard]] constexpr bool judges_results(NonFiniteRule rule, bool has_nonfinite)
{
    return rule != NonFiniteRule::propagate || !has_nonfinite;
}

}  // namespace clconv
