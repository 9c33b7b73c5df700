// Choosing the device of a run, and the traits to plan for.
#pragma once

#include "opencl/device.h"
#include "report/events.h"

#include <string>

namespace clconv {

/// The first device that `selector` (an option's value; empty: the best) means.
/// Throws DeviceError, saying how to get a device if there is none at all.
[[nodiscard]] DeviceInfo chosen_device(const std::string& selector, Sink& sink);

/// Traits to plan for: those of the chosen device; where there is no device and none is asked for, those of a small
/// GPU, with a warning.
[[nodiscard]] DeviceTraits traits_to_plan_for(const std::string& selector, Sink& sink);

/// What to tell someone without any device.
[[nodiscard]] std::string no_device_message();

}  // namespace clconv
