// SPDX-License-Identifier: Apache-2.0
// Devices to plan for, as their drivers report them.
#pragma once

#include "base/device_traits.h"

namespace clconv::test {

inline constexpr DeviceTraits kNvidia{.local_memory = 49152,
                                      .max_work_group = 1024,
                                      .global_memory = 8ull << 30,
                                      .max_allocation = 2ull << 30,
                                      .is_nvidia = true,
                                      .has_double = true};
inline constexpr DeviceTraits kSmallGpu{
    .local_memory = 32768, .max_work_group = 256, .global_memory = 2ull << 30, .max_allocation = 512ull << 20};
inline constexpr DeviceTraits kCpu{.local_memory = 1 << 20,
                                   .max_work_group = 4096,
                                   .global_memory = 8ull << 30,
                                   .max_allocation = 2ull << 30,
                                   .is_cpu = true,
                                   .has_double = true,
                                   .vector_floats = 8};

}  // namespace clconv::test
