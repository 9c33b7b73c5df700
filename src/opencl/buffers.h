// Device memory, and copying arrays into it.
#pragma once

#include "opencl/api.h"
#include "opencl/device.h"

#include <cstdint>
#include <vector>

namespace clconv {

/// Uninitialised device memory. A few bytes follow that kernels may read, but not write; they are all there is if
/// `bytes` is 0, because a kernel's argument must exist. Throws DeviceError.
[[nodiscard]] cl::Buffer allocate(Device& device, std::uint64_t bytes);

/// Device memory with a copy of host memory. Throws DeviceError.
[[nodiscard]] cl::Buffer upload_bytes(Device& device, const void* data, std::uint64_t bytes);

/// Host memory as a buffer: a CPU device works in it without a copy. The memory must outlive the buffer. It belongs to
/// the device until a command on it has been waited for. `flags`: CL_MEM_READ_ONLY and the like. Throws DeviceError.
[[nodiscard]] cl::Buffer wrap(Device& device, const void* data, std::uint64_t bytes, cl_mem_flags flags);

template <class T>
[[nodiscard]] cl::Buffer upload(Device& device, const std::vector<T>& values)
{
    return upload_bytes(device, values.data(), values.size() * sizeof(T));
}

}  // namespace clconv
