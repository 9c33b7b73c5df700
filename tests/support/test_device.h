// SPDX-License-Identifier: Apache-2.0
// The device that tests run on: CLCONV_DEVICE, or the default one; its limits may be made smaller.
#pragma once

#include "engine/convolver.h"
#include "opencl/device.h"

#include <cstdlib>
#include <memory>

namespace clconv::test {

inline DeviceInfo test_device_info()
{
    const char* selector = std::getenv("CLCONV_DEVICE");
    return select_devices(selector ? selector : "").front();
}

/// One opened device for all tests of a program.
inline std::shared_ptr<Device> test_device()
{
    static const auto device = std::make_shared<Device>(test_device_info());
    return device;
}

/// The same device, as if it were a GPU with these limits: plans and defines become those of a real GPU.
inline std::shared_ptr<Device> small_device(std::uint64_t local_memory, std::uint64_t max_work_group)
{
    DeviceInfo info = test_device_info();
    info.traits.local_memory = local_memory;
    info.traits.max_work_group = max_work_group;
    info.traits.is_cpu = false;
    return std::make_shared<Device>(info);
}

/// Such GPUs, opened once for all tests of a program, so that they share what is built.
inline std::shared_ptr<Device> gpu()
{
    static const auto device = small_device(49152, 1024);
    return device;
}
inline std::shared_ptr<Device> small_gpu()
{
    static const auto device = small_device(32768, 256);
    return device;
}

}  // namespace clconv::test
