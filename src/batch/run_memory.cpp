// SPDX-License-Identifier: Apache-2.0
#include "batch/run_memory.h"

#include "base/byte_count.h"
#include "base/ceil_div.h"
#include "batch/memory_limits.h"
#include "opencl/device_choice.h"

#include <algorithm>

namespace clconv {

namespace {

/// Rounded up to steps, because plans depend on a device's share, and an output must not depend on a few pages. A
/// process with its libraries takes 120 to 130 MiB, which is far from the next step. `counted`: resident bytes
/// that the caller adds separately.
std::uint64_t resident_in_steps(std::uint64_t counted)
{
    constexpr std::uint64_t first = std::uint64_t{192} << 20U;
    constexpr std::uint64_t step = std::uint64_t{128} << 20U;
    const std::uint64_t resident = std::max(resident_memory(), first + counted) - counted;
    return first + rounded_up(resident - first, step);
}

/// The pixels of `--mask`, whose floats are read before the run starts.
std::uint64_t mask_pixels(const PreparedRun& run)
{
    const auto& mask = run.work.convolve.blending.mask;
    return mask ? mask->values.size() : 0;
}

bool is_cpu(const DeviceInfo& device) { return device.traits.is_cpu; }

}  // namespace

std::uint64_t memory_in_use(const PreparedRun& run)
{
    const std::uint64_t pixels = mask_pixels(run), of_work = run.work.convolve.work->host_bytes();
    return resident_in_steps(pixels * sizeof(float) + of_work) + mask_memory(pixels) + of_work;
}

std::uint64_t image_memory(const PreparedRun& run)
{
    constexpr std::uint64_t minimum = std::uint64_t{4} << 20U;  // smaller bands would be only halo
    if (run.copies) return kNoLimit;
    return std::max(run.memory_limit.value_or(machine_memory() / 2) / 8, minimum);
}

void limit_memory(std::vector<DeviceInfo>& devices, const PreparedRun& run, std::optional<std::uint64_t> group)
{
    const auto cpus = static_cast<std::uint64_t>(std::ranges::count_if(devices, is_cpu));
    const std::optional<std::uint64_t> limit = run.memory_limit ? run.memory_limit : group;
    const std::uint64_t share =
        cpus > 0 && limit ? share_memory(*limit, memory_in_use(run), true).devices / cpus : kNoLimit;
    for (DeviceInfo& device : devices) {
        if (is_cpu(device)) device.traits.global_memory = std::min<std::uint64_t>(device.traits.global_memory, share);
        device.traits = with_memory(device.traits, run.device_memory);
    }
}

}  // namespace clconv
