// SPDX-License-Identifier: Apache-2.0
// The default method of a problem.
#pragma once

#include "base/device_traits.h"
#include "conv/problem.h"
#include "plan/decisions.h"

#include <string>

namespace clconv {

struct MethodChoice {
    Method method = Method::fft;
    std::string reason;  ///< in words, for Plan::reasons
};

/// The requested method, or the one that other decisions imply, or the cheapest by the costs of plan/cost.h.
[[nodiscard]] MethodChoice choose_method(const Problem& problem, const DeviceTraits& traits,
                                         const Decisions& decisions);

}  // namespace clconv
