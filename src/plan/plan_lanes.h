// The plan of a CPU: work-items that own whole lines, eight side by side in vectors.
#pragma once

#include "plan/plan_fft.h"

#include <optional>

namespace clconv {

/// All but `planes`. None if radices are asked for that such lines do not have, or if the lines do not fit local
/// memory.
[[nodiscard]] std::optional<FftPlan> plan_lanes(const Problem& problem, const DeviceTraits& traits,
                                                const Decisions& decisions);

}  // namespace clconv
