// What an opened device holds.
#pragma once

#include "opencl/api.h"
#include "opencl/device.h"
#include "opencl/program_store.h"

#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace clconv {

class GuardBands;

/// The device "P:D". Throws DeviceError if there is none.
[[nodiscard]] cl::Device device_of(const std::string& index);

/// The queues that an image passes, each in order: events lead from one to the next. With profiling.
struct Route {
    cl::CommandQueue upload;
    cl::CommandQueue compute;
    cl::CommandQueue download;
};

struct Device::Handles {
    Handles(const DeviceInfo& info, ProgramCache cache) : programs(info, std::move(cache)) {}

    cl::Device device;
    cl::Context context;
    cl::CommandQueue queue;        ///< in order, with profiling
    cl::CommandQueue plain_queue;  ///< in order, without: on some drivers profiling costs several microseconds a launch

    /// One queue each for uploads and downloads, because a GPU copies both ways while it computes; two for kernels,
    /// because the ends of one image's passes leave room for another's. A CPU computes where the image lies: one route,
    /// and all of it `queue`.
    std::vector<Route> routes;

    ProgramStore programs;

    std::mutex guards_mutex;
    std::map<std::thread::id, GuardBands*> guards;  ///< who watches the buffers that a thread allocates
};

}  // namespace clconv
