// SPDX-License-Identifier: Apache-2.0
// Chooses the devices of a run, and the traits to plan for.
#pragma once

#include "base/cache_folder.h"
#include "base/messages.h"
#include "opencl/device.h"

#include <string>
#include <vector>

namespace clconv {

/// The devices of `selectors` (the option's values), in their order; without any, the best one. A device that is named
/// twice appears twice. Warns if devices are of several kinds. Throws DeviceError, which says how to get a device if
/// there is none at all.
[[nodiscard]] std::vector<DeviceInfo> chosen_devices(const std::vector<std::string>& selectors, Messages& messages);

/// The traits of the device, with its memory limited to `bytes`.
[[nodiscard]] DeviceTraits with_memory(DeviceTraits traits, std::uint64_t bytes);

/// The chosen devices, to plan for. If there is no device and none was requested, one with the traits of a small GPU,
/// with a warning. `folder` keeps the devices for the next plan (opencl/remembered_devices.h).
[[nodiscard]] std::vector<DeviceInfo> devices_to_plan_for(const std::vector<std::string>& selectors,
                                                          const CacheFolder& folder, Messages& messages);

}  // namespace clconv
