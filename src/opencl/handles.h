// SPDX-License-Identifier: Apache-2.0
// The OpenCL objects of an opened device.
#pragma once

#include "base/block_pool.h"
#include "opencl/api.h"
#include "opencl/device.h"
#include "opencl/first_launches.h"
#include "opencl/host_memory.h"
#include "opencl/program_store.h"
#include "opencl/shared_tables.h"

#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace clconv {

class GuardBands;

/// The device "P:D". Throws DeviceError if there is none.
[[nodiscard]] cl::Device device_of(const std::string& index);

/// The device that another process knows by `identity`: the one of its index if platform and name agree, else the first
/// one whose platform and name do. Throws DeviceError if there is none.
[[nodiscard]] cl::Device same_device(const DeviceIdentity& identity);

/// The queues that an image passes through. Each is in order, with profiling, and events lead from one to the next.
struct Route {
    cl::CommandQueue upload;
    cl::CommandQueue compute;
    cl::CommandQueue download;
};

struct Device::Handles {
    Handles(const DeviceInfo& info, ProgramCache cache)
        : programs(info, std::move(cache)), blocks(info.traits.global_memory, huge_pages)
    {
    }

    cl::Device device;
    cl::Context context;
    cl::CommandQueue queue;  ///< in order, with profiling
    cl::CommandQueue
        plain_queue;  ///< in order, without profiling, which costs several microseconds a launch on some drivers

    /// For copies that nothing else may hold up: tables and other small arrays of a new plan. In order.
    cl::CommandQueue preparing_queue;

    /// A GPU has one queue each for uploads and downloads, because it copies both ways while it computes. It has two
    /// queues for kernels, because the ends of one image's passes leave room for another's. A CPU computes in the
    /// image's own memory: it has one route, whose queues are all `queue`.
    std::vector<Route> routes;

    ProgramStore programs;
    FirstLaunches first_launches;
    SharedTables tables;
    BlockPool blocks;  ///< of a CPU: host memory for buffers. docs/decisions/041-memory-of-plans.md

    std::mutex guards_mutex;
    std::map<std::thread::id, GuardBands*> guards;  ///< which bands watch the buffers of a thread
};

}  // namespace clconv
