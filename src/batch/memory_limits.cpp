// SPDX-License-Identifier: Apache-2.0
#include "batch/memory_limits.h"

#include "base/byte_count.h"

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

/// The number in a file of the kernel; `otherwise` if there is none ("max").
std::uint64_t number_in(const std::string& path, std::uint64_t otherwise)
{
    std::ifstream file(path);
    std::uint64_t value = 0;
    return file >> value ? value : otherwise;
}

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

std::uint64_t left_in_group(const std::string& limit_path, const std::string& usage_path)
{
    const std::uint64_t limit = number_in(limit_path, kNoLimit);
    if (limit == kNoLimit) return kNoLimit;
    const std::uint64_t used = number_in(usage_path, 0);
    return limit > used ? limit - used : 0;
}

}  // namespace

std::uint64_t available_memory()
{
    const std::string groups = "/sys/fs/cgroup/";
    return std::min({available_in_system(), left_in_group(groups + "memory.max", groups + "memory.current"),
                     left_in_group(groups + "memory/memory.limit_in_bytes", groups + "memory/memory.usage_in_bytes")});
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
