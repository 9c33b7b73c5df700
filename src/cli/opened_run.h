// A prepared run with its devices open and its memory shared out.
#pragma once

#include "batch/pipeline.h"
#include "cli/prepared_run.h"
#include "opencl/device.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace clconv {

struct OpenedRun {
    Steps steps;  ///< refers to the PreparedRun
    std::vector<std::shared_ptr<Device>> devices;
    std::uint64_t image_memory = 0;  ///< bytes for the images in flight
};

/// One worker a device, which finds and keeps programs in `cache`; without devices, one that copies. Throws
/// DeviceError.
[[nodiscard]] OpenedRun open_run(const PreparedRun& run, std::vector<DeviceInfo> devices, const ProgramCache& cache,
                                 Sink& sink);

}  // namespace clconv
