// SPDX-License-Identifier: Apache-2.0
#include "opencl/buffers.h"

#include "base/ceil_div.h"
#include "base/errors.h"
#include "opencl/guard_bands.h"
#include "opencl/handles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

namespace clconv {
namespace {

GuardBands* guards_of_this_thread(Device& device)
{
    Device::Handles& handles = device.handles();
    const std::lock_guard lock(handles.guards_mutex);
    const auto found = handles.guards.find(std::this_thread::get_id());
    return found == handles.guards.end() ? nullptr : found->second;
}

std::uint64_t with_bytes_behind(std::uint64_t bytes)
{
    return rounded_up<std::uint64_t>(std::max<std::uint64_t>(bytes, 16), 4) + kBytesReadBehind;
}

/// Blocks of a CPU's pool are small, or have sizes that are powers of four. Up to three quarters of a block are never
/// touched, which costs addresses and no memory.
constexpr std::uint64_t kSmallBlock = std::uint64_t{1} << 20U;

std::uint64_t block_bytes(std::uint64_t bytes, const DeviceTraits& traits)
{
    std::uint64_t block = kSmallBlock;
    while (block < bytes) block *= 4;
    return bytes <= kSmallBlock || block > traits.global_memory / 8 ? bytes : block;
}

Bytes block_of(Device& device, std::uint64_t bytes)
{
    return device.handles().blocks.take(block_bytes(with_bytes_behind(bytes), device.info().traits));
}

/// The beginning of a block of the device's pool as a buffer for `bytes`. OpenCL calls back when neither a buffer nor a
/// command uses the block.
cl::Buffer buffer_over(Device& device, Bytes memory, std::uint64_t bytes)
{
    auto block = std::make_unique<Bytes>(std::move(memory));
    cl::Buffer buffer(device.handles().context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, with_bytes_behind(bytes),
                      block->data());
    buffer.setDestructorCallback([](cl_mem, void* unused) { delete static_cast<Bytes*>(unused); }, block.get());
    static_cast<void>(block.release());
    return buffer;
}

[[noreturn]] void no_memory(const Device& device, std::uint64_t bytes)
{
    throw DeviceError(fmt::format("allocating {} bytes on {}: out of memory", bytes, device.info().name));
}

}  // namespace

cl::Buffer allocate(Device& device, std::uint64_t bytes)
{
    try {
        Device::Handles& handles = device.handles();
        if (GuardBands* const guards = guards_of_this_thread(device))
            return guards->guarded(std::max<std::uint64_t>(bytes, 16));
        if (device.info().traits.is_cpu) return buffer_over(device, block_of(device, bytes), bytes);
        return {handles.context, CL_MEM_READ_WRITE, with_bytes_behind(bytes)};
    } catch (const cl::Error& error) {
        rethrow(error, fmt::format("allocating {} bytes on {}", bytes, device.info().name));
    } catch (const std::bad_alloc&) {
        no_memory(device, bytes);
    }
}

std::uint64_t bytes_for_free(Device& device, std::uint64_t bytes)
{
    const DeviceTraits& traits = device.info().traits;
    if (!traits.is_cpu || is_guarded(device)) return bytes;
    const std::uint64_t behind = with_bytes_behind(0);
    const std::uint64_t block = block_bytes(with_bytes_behind(bytes), traits);
    return std::max(bytes, std::min(block, traits.max_allocation) - behind);
}

cl::Buffer upload_bytes(Device& device, const void* data, std::uint64_t bytes)
{
    try {
        if (device.info().traits.is_cpu && !is_guarded(device)) {
            // The block is filled before it becomes a buffer, so no command is needed.
            Bytes block = block_of(device, bytes);
            if (bytes > 0) std::memcpy(block.data(), data, bytes);
            return buffer_over(device, std::move(block), bytes);
        }
        cl::Buffer buffer = allocate(device, bytes);
        if (bytes > 0) device.handles().preparing_queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, data);
        return buffer;
    } catch (const std::bad_alloc&) {
        no_memory(device, bytes);
    } catch (const cl::Error& error) {
        rethrow(error, fmt::format("copying {} bytes to {}", bytes, device.info().name));
    }
}

bool is_guarded(Device& device) { return guards_of_this_thread(device) != nullptr; }

cl::Buffer wrap(Device& device, const void* data, std::uint64_t bytes, cl_mem_flags flags)
{
    try {
        // OpenCL takes no pointer to const, even for memory that kernels only read.
        return {device.handles().context, flags | CL_MEM_USE_HOST_PTR, bytes, const_cast<void*>(data)};
    } catch (const cl::Error& error) {
        rethrow(error, fmt::format("using {} bytes of host memory on {}", bytes, device.info().name));
    }
}

}  // namespace clconv
