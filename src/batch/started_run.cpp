// SPDX-License-Identifier: Apache-2.0
#include "batch/started_run.h"

#include "base/ceil_div.h"
#include "batch/copying_worker.h"
#include "batch/device_worker.h"
#include "opencl/device_choice.h"
#include "opencl/host_memory.h"

#include <unistd.h>
#include <algorithm>
#include <utility>

namespace clconv {

namespace {

/// Reading more images ahead gains nothing: fresh pages for them would slow down the driver that opens the device. Half
/// of this is for results. docs/decisions/025-reading-ahead-and-pinned-blocks.md
constexpr std::uint64_t kMaxAhead = std::uint64_t{6} << 30U;

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

/// The memory in use before the first image.
std::uint64_t memory_in_use(const PreparedRun& run)
{
    const std::uint64_t pixels = mask_pixels(run), of_work = run.work.convolve.work->host_bytes();
    return resident_in_steps(pixels * sizeof(float) + of_work) + mask_memory(pixels) + of_work;
}

/// The memory that an image and its result may take before they are streamed, and that a streamed one takes. It does
/// not depend on the memory that is free now, because an output depends in its last bits on where it is cut.
std::uint64_t streaming_memory(const PreparedRun& run)
{
    constexpr std::uint64_t minimum = std::uint64_t{4} << 20U;  // smaller bands would be only halo
    if (run.copies) return kNoLimit;
    return std::max(run.memory_limit.value_or(machine_memory() / 2) / 8, minimum);
}

bool is_cpu(const DeviceInfo& device) { return device.traits.is_cpu; }

/// Limits the memory of CPU devices, which is the host's, to `bytes`.
void limit_memory(std::vector<DeviceInfo>& devices, std::uint64_t bytes)
{
    const auto count = std::ranges::count_if(devices, is_cpu);
    for (DeviceInfo& device : devices)
        if (is_cpu(device))
            device.traits.global_memory =
                std::min<std::uint64_t>(device.traits.global_memory, bytes / static_cast<std::uint64_t>(count));
}

}  // namespace

StartedRun::StartedRun(const PreparedRun& run, CodecBoard& board)
    : run_(run),
      board_(board),
      memory_(run.memory_limit.value_or(available_memory() / 2)),
      resident_(run.memory_limit ? memory_in_use(run) : 0),
      files_(run.files),
      pool_(shares(!run.copies).images, huge_pages)
{
    files_.image_memory = streaming_memory(run);
    if (run.memory_limit) return_freed_blocks();
}

MemoryShares StartedRun::shares(bool devices_use_host) const
{
    return share_memory(memory_, resident_, devices_use_host);
}

Steps StartedRun::steps(Sink& sink) const { return image_steps(run_.work, files_, allocate_from(pool_), sink); }

std::uint64_t StartedRun::memory_ahead() const { return std::min(shares(!run_.copies).images, kMaxAhead); }

Opened StartedRun::open(std::vector<DeviceInfo> devices, const ProgramCache& cache)
{
    const MemoryShares shares = this->shares(std::ranges::any_of(devices, is_cpu));
    if (run_.memory_limit) limit_memory(devices, shares.devices);
    const Streaming streaming{files_.image_memory, &board_};
    Opened opened{{}, shares.images, !std::ranges::all_of(devices, is_cpu)};
    if (devices.empty()) opened.workers.push_back(copying_worker(run_.work, pool_, streaming));
    bool pins = false;
    for (DeviceInfo& info : devices) {
        info.traits = with_memory(info.traits, run_.device_memory);
        ProgramCache programs = cache;
        programs.compilers = compiler_processes(info.traits);
        const auto device = std::make_shared<Device>(info, programs);
        if (run_.times_every_launch) device->time_every_launch();
        // A block is pinned once, by the first GPU. Whether other GPUs of the driver gain from that has not been tried.
        if (!is_cpu(info) && !std::exchange(pins, true)) pool_.pin_with(pin_for(device));
        opened.workers.push_back(device_worker(device, run_.work, pool_, streaming));
    }
    return opened;
}

}  // namespace clconv
