// SPDX-License-Identifier: Apache-2.0
// Drivers that keep compiled programs for the next start themselves.
//
// PoCL keeps one file for each kernel and work-group size. With its cache full, a program still takes 0.08 to 0.12 s,
// because PoCL reads the program's text, with 18,000 lines of its own, to find out that it knows it. A program from its
// binary takes 0.01 s. But binaries have kernels for any work-group size. If PoCL makes others for the launches, it has
// to compile each kernel once more when it is asked for a binary (docs/decisions/055-binaries-of-pocl.md).
#pragma once

#include "opencl/device.h"

namespace clconv {

/// Makes PoCL compile each kernel once, for any work-group size, so that binaries of its programs cost nothing. Call it
/// before there are threads, and before PoCL's library is loaded. It sets $POCL_WORK_GROUP_SPECIALIZATION, unless it is
/// set, so it is for programs and not for libraries. It does not affect other drivers.
void prefer_binaries_of_pocl();

/// Whether a driver's own cache is to be used instead of binaries: PoCL's, if it works and prefer_binaries_of_pocl()
/// was not called. Judged by POCL_WORK_GROUP_SPECIALIZATION, POCL_KERNEL_CACHE, POCL_CACHE_DIR, XDG_CACHE_HOME and
/// HOME, as PoCL reads them.
[[nodiscard]] bool driver_keeps_programs(const DeviceInfo& device);

/// Call it before PoCL's library is loaded. PoCL aborts if POCL_CACHE_DIR is empty, and has no device if it
/// cannot make its folder, even if its cache is turned off. So this unsets an empty variable, and gives PoCL a folder
/// in $TMPDIR, clconv-pocl-USER, in place of one that cannot be written or whose disk is full. If PoCL's own cache does
/// not work, it prefers binaries. PoCL also aborts if it does not find ld in PATH, so without a PATH it gets the
/// system's default, as a shell does. It does not affect other drivers.
void prepare_pocl();

}  // namespace clconv
