// SPDX-License-Identifier: Apache-2.0
// The clock that measures durations.
#pragma once

#include <chrono>

namespace clconv {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double ms_since(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace clconv
