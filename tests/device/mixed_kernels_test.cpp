// SPDX-License-Identifier: Apache-2.0
// Kernels that state the size of their work-groups and kernels that leave it open, in one context, in any order. (A
// small program outside this tree crashed PoCL whenever it launched one that leaves it open before convolve_lane_tiles.
// With clconv's buffers and arguments this never happened, with any tile, group size, queue, or state of PoCL's cache.)

#include "opencl/handles.h"
#include "support/convolution_case.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

/// Launches kernels of another program: one of each kind, with and without a stated local size, finished and in flight.
void launch_others(Device& device)
{
    constexpr const char* text = R"(
        __kernel void open_size(__global float *a) { a[get_global_id(0)] = 1; }
        __kernel void open_size_with_locals(__global float *a)
        {
            __local float b[64];
            b[get_local_id(0)] = 2;
            barrier(CLK_LOCAL_MEM_FENCE);
            a[get_global_id(0)] = b[0];
        }
        __kernel __attribute__((reqd_work_group_size(1, 1, 1))) void stated_size(__global float *a)
        {
            a[get_global_id(0)] = 3;
        })";
    Device::Handles& handles = device.handles();
    const cl::Program program(handles.context, text);
    program.build(handles.device);
    const cl::Buffer buffer(handles.context, CL_MEM_READ_WRITE, 1024 * sizeof(float));
    for (const char* name : {"open_size", "open_size_with_locals", "stated_size"})
        for (const bool leaves_open : {true, false}) {
            const bool is_stated = std::string(name) == "stated_size";
            cl::Kernel kernel(program, name);
            kernel.setArg(0, buffer);
            const cl::NDRange local = is_stated ? cl::NDRange(1) : leaves_open ? cl::NDRange() : cl::NDRange(16);
            const cl::NDRange global(leaves_open && !is_stated ? 64 : 1024);
            handles.queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local);
            if (!leaves_open) handles.queue.finish();
        }
}

TEST(MixedKernels, WhateverRanBeforeInTheContextTilesAreRight)
{
    Decisions tiles = with_method(Method::tiled);
    tiles.tile = Extent{64, 64};
    tiles.lanes = 8;
    const auto device = std::make_shared<Device>(test_device_info());  // a context of its own
    for (const Decisions& decisions : {tiles, with_method(Method::direct), tiles}) {
        launch_others(*device);
        expect_right({{150, 71}, 1, {7, 6}, {2, 3}, 1, Border::clamp, Mode::same, decisions}, device);
    }
}

}  // namespace
}  // namespace clconv::test
