// SPDX-License-Identifier: Apache-2.0
// What the peers on OpenCL share: clconv's own device and queue, so that nothing but the library differs.
#pragma once

#include "opencl/api.h"
#include "opencl/device.h"
#include "opencl/handles.h"
#include "peer.h"

#include <fmt/format.h>

#include <stdexcept>

namespace clconv::peers {

/// The device that clconv would take for the options' selector.
inline std::unique_ptr<Device> open_device(const Options& options)
{
    return std::make_unique<Device>(select_devices(options.device).front());
}

/// Zeroed floats on the device.
inline cl::Buffer zeroed(Device& device, std::size_t floats)
{
    const std::size_t bytes = floats * sizeof(float);
    const cl::Buffer buffer(device.handles().context, CL_MEM_READ_WRITE, bytes);
    device.handles().plain_queue.enqueueFillBuffer(buffer, 0.0f, 0, bytes);
    return buffer;
}

/// A block of planes of `width` x `height` floats somewhere in memory, at its beginning; pitch in floats.
struct Planes {
    int width, height, channels;
    std::size_t pitch, plane;
};

inline cl::array<cl::size_type, 3> bytes_region(const Planes& planes)
{
    return {sizeof(float) * planes.width, static_cast<std::size_t>(planes.height),
            static_cast<std::size_t>(planes.channels)};
}

/// Copies planes that lie densely in host memory to the corner of planes on the device, and waits.
inline void write_planes(Device& device, const cl::Buffer& buffer, const Planes& planes, const float* from)
{
    const cl::array<cl::size_type, 3> zero = {0, 0, 0};
    device.handles().plain_queue.enqueueWriteBufferRect(buffer, CL_TRUE, zero, zero, bytes_region(planes),
                                                        sizeof(float) * planes.pitch, sizeof(float) * planes.plane, 0,
                                                        0, from);
}

/// The other way.
inline void read_planes(Device& device, const cl::Buffer& buffer, const Planes& planes, float* to)
{
    const cl::array<cl::size_type, 3> zero = {0, 0, 0};
    device.handles().plain_queue.enqueueReadBufferRect(buffer, CL_TRUE, zero, zero, bytes_region(planes),
                                                       sizeof(float) * planes.pitch, sizeof(float) * planes.plane, 0, 0,
                                                       to);
}

/// Throws, naming what failed, unless a library's status is 0.
inline void require(int status, const char* what)
{
    if (status != 0) throw std::runtime_error(fmt::format("{} failed with code {}", what, status));
}

}  // namespace clconv::peers
