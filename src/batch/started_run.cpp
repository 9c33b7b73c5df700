// SPDX-License-Identifier: Apache-2.0
#include "batch/started_run.h"

#include "batch/copying_worker.h"
#include "batch/device_worker.h"
#include "batch/run_memory.h"
#include "opencl/host_memory.h"

#include <algorithm>
#include <utility>

namespace clconv {

namespace {

/// Reading more images ahead gains nothing: fresh pages for them would slow down the driver that opens the device. Half
/// of this is for results. docs/decisions/025-reading-ahead-and-pinned-blocks.md
constexpr std::uint64_t kMaxAhead = std::uint64_t{6} << 30U;

bool is_on_host(const DeviceInfo& device) { return device.traits.is_cpu; }

}  // namespace

StartedRun::StartedRun(const PreparedRun& run, CodecBoard& board)
    : run_(run),
      board_(board),
      memory_(run.memory_limit.value_or(available_memory() / 2)),
      resident_(run.memory_limit ? memory_in_use(run) : 0),
      files_(run.files),
      pool_(shares(!run.copies).images, huge_pages)
{
    files_.image_memory = image_memory(run);
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
    const MemoryShares shares = this->shares(std::ranges::any_of(devices, is_on_host));
    limit_memory(devices, run_);
    const Streaming streaming{files_.image_memory, &board_};
    Opened opened{{}, shares.images, !std::ranges::all_of(devices, is_on_host)};
    if (devices.empty()) opened.workers.push_back(copying_worker(run_.work, pool_, streaming));
    bool pins = false;
    for (const DeviceInfo& info : devices) {
        ProgramCache programs = cache;
        programs.compilers = compiler_processes(info.traits);
        const auto device = std::make_shared<Device>(info, programs);
        if (run_.times_every_launch) device->time_every_launch();
        // A block is pinned once, by the first GPU. Whether other GPUs of the driver gain from that has not been tried.
        if (!is_on_host(info) && !std::exchange(pins, true)) pool_.pin_with(pin_for(device));
        opened.workers.push_back(device_worker(device, run_.work, pool_, streaming));
    }
    return opened;
}

}  // namespace clconv
