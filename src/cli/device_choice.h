// Choosing the device of a run, and the traits to plan for.
#pragma once

#include "opencl/device.h"
#include "report/events.h"

#include <string>
#include <vector>

namespace clconv {

/// The devices that `selectors` (the option's values) mean, in their order; without any, the best one. What is named
/// twice comes twice. Warns where devices are of several kinds. Throws DeviceError, saying how to get a device if there
/// is none at all.
[[nodiscard]] std::vector<DeviceInfo> chosen_devices(const std::vector<std::string>& selectors, Sink& sink);

/// The device as if it had at most `bytes` of memory.
[[nodiscard]] DeviceTraits with_memory(DeviceTraits traits, std::uint64_t bytes);

/// The device to plan for: the first chosen one; where there is no device and none is asked for, one with the traits of
/// a small GPU, with a warning.
[[nodiscard]] DeviceInfo device_to_plan_for(const std::vector<std::string>& selectors, Sink& sink);

/// What to tell someone without any device.
[[nodiscard]] std::string no_device_message();

}  // namespace clconv
