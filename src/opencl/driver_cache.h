// Drivers that keep what they compiled for the next start by themselves.
//
// PoCL does, for each kernel and work-group size, in files of its own: a program that it kept is ready in 0.04 s. Asked
// for a program's binary instead, it compiles each kernel once more, for any work-group size, which takes as long as
// the first time. So its binaries are only worth keeping where its own cache is switched off or cannot be written.
#pragma once

#include "opencl/device.h"

namespace clconv {

/// True of PoCL whose own cache works, by POCL_KERNEL_CACHE, POCL_CACHE_DIR, XDG_CACHE_HOME and HOME as PoCL reads
/// them.
[[nodiscard]] bool driver_keeps_programs(const DeviceInfo& device);

/// Before PoCL's library is loaded: where its own cache does not work, has it compile kernels for any work-group size
/// only, so that binaries cost nothing. Does nothing to other drivers.
void prepare_pocl();

}  // namespace clconv
