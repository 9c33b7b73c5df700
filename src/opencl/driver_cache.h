// SPDX-License-Identifier: Apache-2.0
// Drivers that keep compiled programs for the next start themselves.
//
// PoCL keeps one file for each kernel and work-group size. A program from its cache is ready in 0.04 s. But when PoCL
// is asked for a program's binary, it compiles each kernel once more, for any work-group size, which takes as long as
// the first time. So its binaries are worth keeping only if its own cache is turned off or cannot be written.
#pragma once

#include "opencl/device.h"

namespace clconv {

/// True for PoCL if its own cache works, judged by POCL_KERNEL_CACHE, POCL_CACHE_DIR, XDG_CACHE_HOME and HOME, as PoCL
/// reads them.
[[nodiscard]] bool driver_keeps_programs(const DeviceInfo& device);

/// Call it before PoCL's library is loaded. PoCL aborts if POCL_CACHE_DIR is empty, and has no device if it
/// cannot make its folder, even if its cache is turned off. So this unsets an empty variable, and gives PoCL a folder
/// in $TMPDIR, clconv-pocl-USER, in place of one that cannot be written. If PoCL's own cache does not work, it makes
/// PoCL compile kernels for any work-group size only, so that binaries cost nothing. It does not affect other drivers.
void prepare_pocl();

}  // namespace clconv
