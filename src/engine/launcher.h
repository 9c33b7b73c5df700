// Runs kernels in order on one queue, and remembers how long each pass took, if that is wanted.
#pragma once

#include "base/timings.h"
#include "opencl/api.h"
#include "opencl/device.h"

#include <cstddef>
#include <string>
#include <vector>

namespace clconv {

enum class Timing { passes, off };

class Launcher {
public:
    explicit Launcher(Device& device, Timing timing = Timing::passes);
    /// Waits: memory that enqueued copies use may be gone after this.
    ~Launcher();
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;

    /// Enqueues `kernel` with these arguments. `pass` names it in the times.
    template <class... Arguments>
    void run(const std::string& pass, cl::Kernel& kernel, std::size_t groups, std::size_t group_size,
             const Arguments&... arguments)
    {
        set(kernel, 0, arguments...);
        enqueue(pass, kernel, cl::NDRange(groups * group_size), cl::NDRange(group_size));
    }

    /// The same over a plane: work-items (x, y), x < width, y < height, in groups of one row. The width is rounded up:
    /// kernels guard themselves.
    template <class... Arguments>
    void run_plane(const std::string& pass, cl::Kernel& kernel, std::size_t width, std::size_t height,
                   const Arguments&... arguments)
    {
        set(kernel, 0, arguments...);
        const std::size_t row = 64;
        enqueue(pass, kernel, cl::NDRange((width + row - 1) / row * row, height), cl::NDRange(row, 1));
    }

    void write(const cl::Buffer& buffer, const void* from, std::size_t bytes);
    void read(const cl::Buffer& buffer, void* to, std::size_t bytes);

    /// Waits for everything. Returns the device's time for each pass, in the order of their first launch; nothing if
    /// timing is off. Throws DeviceError.
    [[nodiscard]] std::vector<StageTime> finish();

private:
    template <class First, class... Rest>
    static void set(cl::Kernel& kernel, cl_uint index, const First& first, const Rest&... rest)
    {
        kernel.setArg(index, first);
        if constexpr (sizeof...(rest) > 0) set(kernel, index + 1, rest...);
    }
    void enqueue(const std::string& pass, const cl::Kernel& kernel, const cl::NDRange& global,
                 const cl::NDRange& local);
    /// Where the event of the next command goes; null if timing is off.
    [[nodiscard]] cl::Event* event(const std::string& pass);

    struct Timed {
        std::string pass;
        cl::Event event;
    };
    Device& device_;
    Timing timing_;
    cl::CommandQueue queue_;
    std::vector<Timed> launches_;
};

}  // namespace clconv
