// What a planner must know of a device. Plain numbers, so that any device can be planned for anywhere.
#pragma once

#include <cstdint>

namespace clconv {

struct DeviceTraits {
    std::uint64_t local_memory = 32768;       ///< bytes a work-group may use
    std::uint64_t max_work_group = 256;       ///< work-items
    std::uint64_t global_memory = 1u << 30;   ///< bytes
    std::uint64_t max_allocation = 1u << 28;  ///< bytes in one buffer
    bool is_cpu = false;                      ///< work-items are loop iterations, local memory is ordinary cache
    bool is_nvidia = false;                   ///< takes -cl-nv-maxrregcount, and better without reqd_work_group_size
    bool has_double = false;
};

}  // namespace clconv
