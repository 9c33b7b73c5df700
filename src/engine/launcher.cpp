#include "engine/launcher.h"

#include "opencl/handles.h"

namespace clconv {

Launcher::Launcher(Device& device, Timing timing)
    : device_(device),
      timing_(timing),
      queue_(timing == Timing::off ? device.handles().plain_queue : device.handles().queue)
{
}

Launcher::~Launcher()
{
    try {
        queue_.finish();
    } catch (const cl::Error&) {  // a lost device: nothing uses the memory any more
    }
}

cl::Event* Launcher::event(const std::string& pass)
{
    if (timing_ == Timing::off) return nullptr;
    return &launches_.emplace_back(Timed{pass, {}}).event;
}

void Launcher::enqueue(const std::string& pass, const cl::Kernel& kernel, const cl::NDRange& global,
                       const cl::NDRange& local)
{
    cl::Event* const timed = event(pass);
    try {
        queue_.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, timed);
    } catch (const cl::Error& error) {
        launches_.clear();
        rethrow(error, "launching " + pass);
    }
}

void Launcher::write(const cl::Buffer& buffer, const void* from, std::size_t bytes)
{
    queue_.enqueueWriteBuffer(buffer, CL_FALSE, 0, bytes, from, nullptr, event("upload"));
}

void Launcher::read(const cl::Buffer& buffer, void* to, std::size_t bytes)
{
    queue_.enqueueReadBuffer(buffer, CL_FALSE, 0, bytes, to, nullptr, event("download"));
}

std::vector<StageTime> Launcher::finish()
{
    std::vector<StageTime> times;
    try {
        queue_.finish();
        for (const Timed& launch : launches_) {
            const auto start = launch.event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
            const auto end = launch.event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
            add_time(times, launch.pass, Seconds(1e-9 * static_cast<double>(end - start)));
        }
    } catch (const cl::Error& error) {
        launches_.clear();
        rethrow(error, "waiting for " + device_.info().name);
    }
    launches_.clear();
    return times;
}

}  // namespace clconv
