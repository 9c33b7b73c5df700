// SPDX-License-Identifier: Apache-2.0
// How a prepared run divides its memory. Outputs depend on it in their last bits, because it decides where images are
// cut. So nothing here depends on the memory that is free.
#pragma once

#include "batch/memory_limits.h"
#include "batch/prepared_run.h"
#include "opencl/device.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace clconv {

/// Bytes that are in use before the first image.
[[nodiscard]] std::uint64_t memory_in_use(const PreparedRun& run);

/// Bytes that an image and its result may take before they go by bands, and that one that goes by bands takes.
[[nodiscard]] std::uint64_t image_memory(const PreparedRun& run);

/// Limits the memory of `devices`, all of the run's: to --device-memory, and that of CPUs, which is the host's, to
/// their share of --memory-limit, else of `group`, the limit of a container or of a scheduler's job.
void limit_memory(std::vector<DeviceInfo>& devices, const PreparedRun& run,
                  std::optional<std::uint64_t> group = group_memory());

}  // namespace clconv
