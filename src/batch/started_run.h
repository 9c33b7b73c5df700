// SPDX-License-Identifier: Apache-2.0
// A prepared run at work: images are read from the start, while devices open.
#pragma once

#include "base/block_pool.h"
#include "batch/image_work.h"
#include "batch/memory_limits.h"
#include "batch/pipeline.h"
#include "batch/prepared_run.h"
#include "opencl/device.h"

#include <cstdint>
#include <vector>

namespace clconv {

class StartedRun {
public:
    /// Checks the available memory. `run` and `board` must outlive this.
    StartedRun(const PreparedRun& run, CodecBoard& board);

    /// All steps except `open`. They refer to the run and to `sink`.
    [[nodiscard]] Steps steps(Sink& sink) const;

    /// Bytes for the images in flight until the first result. Afterwards, Opened gives them.
    [[nodiscard]] std::uint64_t memory_ahead() const;

    /// One worker for each device, which finds and keeps programs in `cache`. Without devices, one that copies. From
    /// then on, the memory of images is pinned for GPUs. Throws DeviceError.
    [[nodiscard]] Opened open(std::vector<DeviceInfo> devices, const ProgramCache& cache);

private:
    [[nodiscard]] MemoryShares shares(bool devices_use_host) const;

    const PreparedRun& run_;
    CodecBoard& board_;
    const std::uint64_t memory_;    ///< bytes that the run may use
    const std::uint64_t resident_;  ///< bytes of them that are already in use
    FileSettings files_;
    BlockPool pool_;
};

}  // namespace clconv
