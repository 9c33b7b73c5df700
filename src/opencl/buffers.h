// SPDX-License-Identifier: Apache-2.0
// Device memory, and copying arrays into it.
#pragma once

#include "opencl/api.h"
#include "opencl/device.h"

#include <cstdint>
#include <vector>

namespace clconv {

/// Bytes behind a buffer's content that kernels may read: they load pixels of several bytes as words, whose last one
/// may end behind the last pixel (PIXELS_IN_WORDS of kernels/image.cl).
inline constexpr std::uint64_t kBytesReadBehind = 8;

/// Uninitialised device memory. kBytesReadBehind follow that kernels may read, but not write; they are all there is if
/// `bytes` is 0, because a kernel's argument must exist. On a CPU it is a block of Device::Handles::blocks, which
/// returns there when the last buffer and the last command that use it are gone. Throws DeviceError.
[[nodiscard]] cl::Buffer allocate(Device& device, std::uint64_t bytes);

/// The largest buffer that takes no more memory than one of `bytes`, as long as only `bytes` of it are used. On a CPU
/// blocks have few sizes, so that one serves images of many sizes, and pages that were never used do not exist.
[[nodiscard]] std::uint64_t bytes_for_free(Device& device, std::uint64_t bytes);

/// Device memory with a copy of host memory. Never waits for other commands. Throws DeviceError.
[[nodiscard]] cl::Buffer upload_bytes(Device& device, const void* data, std::uint64_t bytes);

/// Host memory as a buffer: a CPU device works in it without a copy. The memory must outlive the buffer. It belongs to
/// the device until a command on it has been waited for. `flags`: CL_MEM_READ_ONLY and the like. Throws DeviceError.
[[nodiscard]] cl::Buffer wrap(Device& device, const void* data, std::uint64_t bytes, cl_mem_flags flags);

/// Whether GuardBands watch the buffers of this thread.
[[nodiscard]] bool is_guarded(Device& device);

template <class T>
[[nodiscard]] cl::Buffer upload(Device& device, const std::vector<T>& values)
{
    return upload_bytes(device, values.data(), values.size() * sizeof(T));
}

}  // namespace clconv
