// SPDX-License-Identifier: Apache-2.0
// The devices that were found before, so that a plan needs no driver: PoCL alone takes 0.1 s of processor time to load,
// most of it for LLVM's relocations.
//
// They count only while nothing has changed that an answer of the drivers depends on: the files of all libraries that
// were loaded for it, the lists of drivers and libraries, the kernel since it started, device files, memory,
// processors, the user and the environment. Whatever is in doubt counts as a change, and then the drivers are asked.
// Only plans use this. What opens a device always asks its driver.
#pragma once

#include "base/cache_folder.h"
#include "opencl/device.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace clconv {

/// A short name for everything, besides the files of libraries, that the list of devices depends on. Call it before
/// list_devices(), which changes the environment for PoCL.
[[nodiscard]] std::uint64_t machine_state();

/// The files of this program and of all libraries that are loaded now.
[[nodiscard]] std::vector<std::filesystem::path> loaded_files();

/// Keeps `devices`, which were found in `state` with `files` loaded, in place of what was kept. Keeps nothing if there
/// is no device, because one may be installed any moment.
void remember_devices(const CacheFolder& folder, const std::vector<DeviceInfo>& devices, std::uint64_t state,
                      const std::vector<std::filesystem::path>& files);

/// The devices that are kept; none if there are none for `state`, or if one of their files is not the same any more.
[[nodiscard]] std::vector<DeviceInfo> remembered_devices(const CacheFolder& folder, std::uint64_t state);

/// All devices, as list_devices() finds them; `folder` keeps them for the next plan.
[[nodiscard]] std::vector<DeviceInfo> found_devices(const CacheFolder& folder);

}  // namespace clconv
