// Device memory that a plan takes.
#pragma once

#include "plan/plan.h"

#include <cstdint>

namespace clconv {

/// Bytes of device memory: of all buffers together, and of the largest.
struct DeviceBytes {
    std::uint64_t together = 0;
    std::uint64_t largest = 0;
};

/// What a plan whose passes are decided needs, the preparation of its PSF included.
[[nodiscard]] DeviceBytes device_bytes(const Plan& plan);

}  // namespace clconv
