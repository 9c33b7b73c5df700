#include "cli/opened_run.h"

#include "base/block_pool.h"
#include "batch/memory_limits.h"
#include "cli/device_choice.h"
#include "opencl/host_memory.h"

#include <unistd.h>
#include <algorithm>

namespace clconv {

namespace {

std::vector<std::shared_ptr<Device>> open_devices(const std::vector<DeviceInfo>& devices, const ProgramCache& cache)
{
    std::vector<std::shared_ptr<Device>> opened;
    for (const DeviceInfo& device : devices) opened.push_back(std::make_shared<Device>(device, cache));
    return opened;
}

MemoryShares shares_of(const PreparedRun& run, const std::vector<DeviceInfo>& devices)
{
    const bool use_host = std::ranges::any_of(devices, [](const DeviceInfo& device) { return device.traits.is_cpu; });
    // In steps: a device's share is the plan's, and an output must not depend on a few pages more or less.
    constexpr std::uint64_t step = std::uint64_t{128} << 20U;
    if (run.memory_limit)
        return share_memory(*run.memory_limit, (resident_memory() + step - 1) / step * step, use_host);
    return share_memory(available_memory() / 2, 0, use_host);
}

/// What an image and its result may take before they are streamed, and what is held of them then. Neither depends on
/// what else takes memory now: the cuts show in the last bits of an output.
std::uint64_t streaming_memory(const PreparedRun& run)
{
    constexpr std::uint64_t least = std::uint64_t{4} << 20U;  // bands of less would be nothing but halo
    if (run.copies) return kNoLimit;
    const std::uint64_t machine =
        static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return std::max(run.memory_limit.value_or(machine / 2) / 8, least);
}

/// A CPU's memory is the host's, of which the user may have said how much there is.
void limit_memory(std::vector<DeviceInfo>& devices, std::uint64_t bytes)
{
    const auto count = std::ranges::count_if(devices, [](const DeviceInfo& device) { return device.traits.is_cpu; });
    for (DeviceInfo& device : devices)
        if (device.traits.is_cpu)
            device.traits.global_memory =
                std::min<std::uint64_t>(device.traits.global_memory, bytes / static_cast<std::uint64_t>(count));
}

}  // namespace

OpenedRun open_run(const PreparedRun& run, std::vector<DeviceInfo> devices, const ProgramCache& cache, Sink& sink)
{
    const MemoryShares shares = shares_of(run, devices);
    if (run.memory_limit) limit_memory(devices, shares.devices);
    for (DeviceInfo& device : devices) device.traits = with_memory(device.traits, run.device_memory);
    const std::vector<std::shared_ptr<Device>> opened = open_devices(devices, cache);

    // Memory that the first GPU pinned is fast for all of one driver's.
    const auto gpu = std::ranges::find_if(opened, [](const auto& device) { return !device->info().traits.is_cpu; });
    const auto pool = std::make_shared<BlockPool>(
        shares.images, gpu != opened.end() ? host_memory_for(*gpu)
                                           : (opened.empty() ? Allocate([](std::size_t size) { return Bytes(size); })
                                                             : host_memory_for(opened.front())));
    const Allocate host_memory = [pool](std::size_t size) { return pool->take(size); };

    FileSettings files = run.files;
    files.image_memory = streaming_memory(run);
    const Streaming streaming{files.image_memory, {{}, files.quality, files.strip_metadata, files.compression}};
    OpenedRun result{image_steps(run.work, files, host_memory, sink), opened, shares.images};
    for (const std::shared_ptr<Device>& device : opened)
        result.steps.workers.push_back(device_worker(device, run.work, host_memory, streaming));
    if (devices.empty()) result.steps.workers.push_back(copying_worker());
    return result;
}

}  // namespace clconv
