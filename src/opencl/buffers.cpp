#include "opencl/buffers.h"

#include "base/ceil_div.h"
#include "opencl/guard_bands.h"
#include "opencl/handles.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {
namespace {

/// Kernels may read pairs of words whose last bytes lie behind a buffer's content (PIXELS_IN_WORDS of
/// kernels/image.cl).
constexpr std::uint64_t kBytesReadBehind = 8;

GuardBands* guards_of_this_thread(Device& device)
{
    Device::Handles& handles = device.handles();
    const std::lock_guard lock(handles.guards_mutex);
    const auto found = handles.guards.find(std::this_thread::get_id());
    return found == handles.guards.end() ? nullptr : found->second;
}

}  // namespace

cl::Buffer allocate(Device& device, std::uint64_t bytes)
{
    try {
        const std::uint64_t size = std::max<std::uint64_t>(bytes, 16);
        if (GuardBands* const guards = guards_of_this_thread(device)) return guards->guarded(size);
        return {device.handles().context, CL_MEM_READ_WRITE, rounded_up<std::uint64_t>(size, 4) + kBytesReadBehind};
    } catch (const cl::Error& error) {
        rethrow(error, fmt::format("allocating {} bytes on {}", bytes, device.info().name));
    }
}

cl::Buffer upload_bytes(Device& device, const void* data, std::uint64_t bytes)
{
    cl::Buffer buffer = allocate(device, bytes);
    try {
        if (bytes > 0) device.handles().queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, data);
    } catch (const cl::Error& error) {
        rethrow(error, fmt::format("copying {} bytes to {}", bytes, device.info().name));
    }
    return buffer;
}

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
