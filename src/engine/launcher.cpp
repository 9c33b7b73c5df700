#include "engine/launcher.h"

#include "opencl/handles.h"

namespace clconv {

void Launcher::enqueue(const std::string& pass, const cl::Kernel& kernel, const cl::NDRange& global,
                       const cl::NDRange& local)
{
    Timed& launch = launches_.emplace_back(Timed{pass, {}});
    try {
        device_.handles().queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &launch.event);
    } catch (const cl::Error& error) {
        launches_.pop_back();
        rethrow(error, "launching " + pass);
    }
}

void Launcher::write(const cl::Buffer& buffer, const void* from, std::size_t bytes)
{
    Timed& copy = launches_.emplace_back(Timed{"upload", {}});
    device_.handles().queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, bytes, from, nullptr, &copy.event);
}

void Launcher::read(const cl::Buffer& buffer, void* to, std::size_t bytes)
{
    Timed& copy = launches_.emplace_back(Timed{"download", {}});
    device_.handles().queue.enqueueReadBuffer(buffer, CL_FALSE, 0, bytes, to, nullptr, &copy.event);
}

std::vector<StageTime> Launcher::finish()
{
    std::vector<StageTime> times;
    try {
        device_.handles().queue.finish();
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
