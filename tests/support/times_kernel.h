// SPDX-License-Identifier: Apache-2.0
// A program small enough to be built again and again. Its result shows which variant ran.
#pragma once

#include "opencl/device.h"
#include "opencl/handles.h"

namespace clconv::test {

/// Multiplies by FACTOR, which a define gives.
inline constexpr const char* kTimes =
    "__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void times(__global float *x) { x[0] *= FACTOR; }\n";

/// The result of the kernel of such a program for 21.
inline float result(Device& device, const cl::Program& program)
{
    cl::Kernel kernel(program, "times");
    float value = 21;
    const cl::Buffer buffer(device.handles().context, CL_MEM_COPY_HOST_PTR, sizeof value, &value);
    kernel.setArg(0, buffer);
    device.handles().queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
    device.handles().queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof value, &value);
    return value;
}

}  // namespace clconv::test
