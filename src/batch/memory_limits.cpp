// SPDX-License-Identifier: Apache-2.0
#include "batch/memory_limits.h"

#include "base/byte_count.h"
#include "batch/control_groups.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace clconv {

namespace {

/// Drivers, compilers and codecs take memory of their own when they work.
constexpr std::uint64_t kLibraries = std::uint64_t{160} << 20U;

/// The minimum for a device. With less, no plan fits.
constexpr std::uint64_t kMinDevice = std::uint64_t{128} << 20U;

std::uint64_t available_in_system()
{
    std::ifstream file("/proc/meminfo");
    std::string name;
    std::uint64_t kilobytes = 0;
    std::string unit;
    while (file >> name >> kilobytes && std::getline(file, unit))
        if (name == "MemAvailable:") return kilobytes * 1024;
    return kNoLimit;
}

std::uint64_t physical_memory()
{
    return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

std::uint64_t available_memory() { return std::min(available_in_system(), control_group_memory().available); }

std::uint64_t machine_memory() { return std::min(physical_memory(), control_group_memory().limit); }

std::optional<std::uint64_t> group_memory()
{
    const std::uint64_t limit = control_group_memory().limit;
    return limit < physical_memory() ? std::optional(limit) : std::nullopt;
}

void return_freed_blocks()
{
#ifdef M_MMAP_THRESHOLD
    constexpr int bytes = 1 << 20;
    (void)::mallopt(M_MMAP_THRESHOLD, bytes);
#endif
}

std::uint64_t resident_memory()
{
    std::ifstream file("/proc/self/statm");
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    file >> size >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

MemoryShares share_memory(std::uint64_t limit, std::uint64_t resident, bool devices_use_host)
{
    MemoryShares shares;
    const std::uint64_t taken = resident + kLibraries;
    const std::uint64_t left = limit > taken ? limit - taken : 0;
    shares.devices = devices_use_host ? std::max(left / 2, kMinDevice) : 0;
    shares.images = left - std::min(left, shares.devices);
    return shares;
}

}  // namespace clconv
