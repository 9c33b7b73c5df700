// SPDX-License-Identifier: Apache-2.0
// What the control groups of a process (of a container, a batch job, a service) leave it of the machine's memory.
#pragma once

#include <cstdint>
#include <filesystem>

namespace clconv {

/// Where the kernel shows its control groups, and those of the process (proc(5)).
struct ControlGroupFiles {
    std::filesystem::path groups = "/sys/fs/cgroup";
    std::filesystem::path own = "/proc/self/cgroup";
};

/// Bytes, of the groups of the process and all groups above them; kNoLimit where none is limited.
struct ControlGroupMemory {
    std::uint64_t limit;      ///< the smallest limit
    std::uint64_t available;  ///< the smallest rest. What files have in the page cache does not count as used, because
                              ///< the kernel drops it when memory is needed
};

/// Version 2, or the controller of memory of version 1. Files that are missing limit nothing.
[[nodiscard]] ControlGroupMemory control_group_memory(const ControlGroupFiles& files = {});

}  // namespace clconv
