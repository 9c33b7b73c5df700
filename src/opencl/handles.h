// What an opened device holds.
#pragma once

#include "opencl/api.h"
#include "opencl/device.h"

namespace clconv {

struct Device::Handles {
    cl::Device device;
    cl::Context context;
    cl::CommandQueue queue;        ///< in order, with profiling
    cl::CommandQueue plain_queue;  ///< in order, without: on some drivers profiling costs several microseconds a launch
};

}  // namespace clconv
