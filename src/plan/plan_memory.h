// SPDX-License-Identifier: Apache-2.0
// The device memory of a plan.
#pragma once

#include "plan/plan.h"

#include <cstdint>

namespace clconv {

/// Bytes of device memory: of all buffers together, and of the largest.
struct DeviceBytes {
    std::uint64_t together = 0;
    std::uint64_t largest = 0;
};

/// How many transfers are in memory while one is prepared: an inverse is made of up to two others.
[[nodiscard]] int transfers_at_once(const Problem& problem);

/// The bytes for a plan with decided passes, including the preparation of its PSF.
[[nodiscard]] DeviceBytes device_bytes(const Plan& plan);

}  // namespace clconv
