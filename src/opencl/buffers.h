// Device memory, and putting arrays into it.
#pragma once

#include "opencl/api.h"
#include "opencl/device.h"

#include <cstdint>
#include <vector>

namespace clconv {

/// Uninitialised device memory (a few bytes where `bytes` is 0: a kernel's argument must exist). Throws DeviceError.
[[nodiscard]] cl::Buffer allocate(Device& device, std::uint64_t bytes);

/// Device memory with a copy of host memory. Throws DeviceError.
[[nodiscard]] cl::Buffer upload_bytes(Device& device, const void* data, std::uint64_t bytes);

/// Host memory as the device's: a CPU device works in it without a copy. The memory must outlive the buffer, and
/// belongs to the device until a command on it is waited for. `flags`: CL_MEM_READ_ONLY and the like. Throws
/// DeviceError.
[[nodiscard]] cl::Buffer wrap(Device& device, const void* data, std::uint64_t bytes, cl_mem_flags flags);

template <class T>
[[nodiscard]] cl::Buffer upload(Device& device, const std::vector<T>& values)
{
    return upload_bytes(device, values.data(), values.size() * sizeof(T));
}

}  // namespace clconv
