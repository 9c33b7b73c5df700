// SPDX-License-Identifier: Apache-2.0
// A GPU whose menu of passes is measured.
#pragma once

#include "base/device_traits.h"

namespace clconv::test {

inline constexpr DeviceTraits kGpu{.local_memory = 49152,
                                   .max_work_group = 1024,
                                   .global_memory = 64ull << 30,
                                   .max_allocation = 16ull << 30,
                                   .is_nvidia = true,
                                   .cache = 50u << 20};

}  // namespace clconv::test
