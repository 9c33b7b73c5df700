// SPDX-License-Identifier: Apache-2.0
// What a planner must know about a device. Plain numbers, so plans for any device can be made anywhere.
#pragma once

#include <cstdint>

namespace clconv {

struct DeviceTraits {
    std::uint64_t local_memory = 32768;       ///< bytes a work-group may use
    std::uint64_t max_work_group = 256;       ///< work-items
    std::uint64_t global_memory = 1u << 30;   ///< bytes
    std::uint64_t max_allocation = 1u << 28;  ///< bytes in one buffer
    bool is_cpu = false;                      ///< work-items are loop iterations, local memory is ordinary cache
    bool is_nvidia = false;                   ///< has -cl-nv-maxrregcount, and is faster without reqd_work_group_size
    bool has_double = false;
    std::uint64_t cache = 0;  ///< bytes between the work-groups and global memory; 0: unknown
    int vector_floats = 0;    ///< floats of a vector register (CPUs); 0: unknown
};

}  // namespace clconv
