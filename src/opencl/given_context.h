// SPDX-License-Identifier: Apache-2.0
// Devices in a context that another program has made, whose buffers they can use.
#pragma once

#include "opencl/api.h"
#include "opencl/device.h"

#include <memory>

namespace clconv {

struct GivenContext {
    cl::Context context;
    cl::Device device;
};

/// What list_devices() says about the device. Throws InvalidProblem if the context does not have it, DeviceError if it
/// is not in the list.
[[nodiscard]] DeviceInfo info_of(const GivenContext& given);

/// The device, opened in the context. `info`: info_of() it, with its memory limited or not. Opens it in a context of
/// its own first, and drops that. Throws DeviceError.
[[nodiscard]] std::shared_ptr<Device> opened_in(const GivenContext& given, const DeviceInfo& info,
                                                ProgramCache programs);

}  // namespace clconv
