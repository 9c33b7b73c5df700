#include "opencl/buffers.h"

#include "opencl/handles.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {

cl::Buffer allocate(Device& device, std::uint64_t bytes)
{
    try {
        return {device.handles().context, CL_MEM_READ_WRITE, std::max<std::uint64_t>(bytes, 16)};
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

}  // namespace clconv
