// SPDX-License-Identifier: Apache-2.0
// Runs copies and kernels in order, and on request says how long each pass takes.
//
// On a route of several queues, events keep the order: kernels wait for earlier uploads, and downloads wait for the
// kernels. Launchers of several images overlap.
#pragma once

#include "base/ceil_div.h"
#include "base/clock.h"
#include "base/timings.h"
#include "opencl/api.h"
#include "opencl/device.h"
#include "opencl/device_clock.h"
#include "opencl/handles.h"
#include "opencl/kernel.h"
#include "opencl/moment.h"
#include "opencl/slow_driver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace clconv {

enum class Timing {
    passes,  ///< by an event for each launch
    some,    ///< by an event for some launches of each kernel; the others count as the mean of these (LaunchSeries)
    off
};

/// The work-groups of a launch: so many for each of some images (kernels/sizes.cl, IMAGE_NUMBER).
struct WorkGroups {
    WorkGroups(std::size_t of_an_image, int of_images = 1) : count(of_an_image), images(of_images) {}
    std::size_t count;
    int images;
};

class Launcher {
public:
    /// Runs everything on one queue.
    explicit Launcher(Device& device, Timing timing = Timing::passes);
    /// Runs everything on the queues of `route`, with the timing that the device has for it.
    Launcher(Device& device, const Route& route);
    /// Waits for enqueued copies, because their memory may be freed after this.
    ~Launcher();
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;

    /// Enqueues `kernel` with these arguments. `pass` names it in the times.
    template <class... T>
    void run(const std::string& pass, Kernel& kernel, const WorkGroups& groups, std::size_t group_size,
             const Argument<T>&... arguments)
    {
        kernel.set(arguments...);
        const std::size_t items = first_of(groups.count, pass) * group_size;
        if (groups.images == 1) return enqueue(pass, kernel, cl::NDRange(items), cl::NDRange(group_size));
        const auto images = static_cast<std::size_t>(groups.images);
        enqueue(pass, kernel, cl::NDRange(items, images), cl::NDRange(group_size, 1));
    }

    /// The same over a plane: work-items (x, y), x < width, y < height, in groups of one row. The width is rounded up,
    /// so kernels must check it. A tall plane takes several launches.
    template <class... T>
    void run_plane(const std::string& pass, Kernel& kernel, std::size_t width, std::size_t height,
                   const Argument<T>&... arguments)
    {
        kernel.set(arguments...);
        const std::size_t row = 64;
        for (std::size_t y = 0; y < height; y += kMaxRows)
            enqueue(pass, kernel, cl::NDRange(rounded_up(width, row), std::min(kMaxRows, height - y)),
                    cl::NDRange(row, 1), cl::NDRange(0, y));
    }

    /// When the kernels so far have run. For after() of other launchers. Sends them to the device.
    [[nodiscard]] Moment so_far();
    /// The next kernel waits for `moment`. Nothing happens if it has passed, or is of the same queue.
    void after(const Moment& moment);

    /// From now on run() launches only the first of a kernel's work-groups: this share of them, in (0, 1], rounded up.
    /// For measuring how a pass's time depends on the number of its lines; results are not complete.
    void only_first(double share) { share_ = share; }
    /// The share of its work-groups that the pass's last launch by run() had.
    [[nodiscard]] double share_of(const std::string& pass) const
    {
        const auto found = shares_.find(pass);
        return found == shares_.end() ? 1 : found->second;
    }

    /// `from` and `to` are in use until finish().
    void write(const cl::Buffer& buffer, const void* from, std::size_t bytes, std::size_t offset = 0);
    void read(const cl::Buffer& buffer, void* to, std::size_t bytes, std::size_t offset = 0);
    /// From the beginning of `buffer`, `bytes` to each of `to`.
    void read_parts(const cl::Buffer& buffer, const std::vector<std::byte*>& to, std::size_t bytes);

    /// Makes kernels' writes to wrapped host memory visible to the host (wrap() in opencl/buffers.h).
    void show_host(const cl::Buffer& buffer, std::size_t bytes);

    /// Sends everything to the device. Otherwise this may happen only in finish().
    void flush();

    /// Waits for everything of this launcher. Returns the device's time for each pass, in the order of their first
    /// launch; nothing if timing is off. On a CPU, the time in which a driver compiles a kernel at its first launch is
    /// stage::kBuild, and is reported like a slow build. Throws DeviceError.
    [[nodiscard]] std::vector<StageTime> finish();

    /// When the commands of the last finish() ran on the device, and when it compiled, on the host's clock.
    [[nodiscard]] std::vector<Span> take_spans() { return std::exchange(spans_, {}); }

    /// Complete when the last copy or kernel is; none if timing is off.
    [[nodiscard]] cl::Event last();
    /// Copies and kernels so far; 0 if timing is off.
    [[nodiscard]] std::size_t launches() const { return launches_.size(); }

private:
    /// Work-groups that a launch may have in its second dimension, on NVIDIA's GPUs.
    static constexpr std::size_t kMaxRows = 65535;

    [[nodiscard]] std::size_t first_of(std::size_t groups, const std::string& pass)
    {
        if (share_ >= 1) return groups;
        const double wanted = std::ceil(share_ * static_cast<double>(groups));
        shares_[pass] = wanted / static_cast<double>(groups);
        return static_cast<std::size_t>(wanted);
    }
    void enqueue(const std::string& pass, Kernel& kernel, const cl::NDRange& global, const cl::NDRange& local,
                 const cl::NDRange& offset = cl::NullRange);
    /// Enqueues a copy by command(event), and keeps the event if timing is on (else it is null).
    template <class Command>
    void copy(std::string_view stage, const Command& command);
    /// Events of the kernels so far, if downloads have a queue of their own.
    [[nodiscard]] std::vector<cl::Event> kernels_so_far();
    /// Complete when all kernels so far are. finish() waits for it.
    cl::Event marker();
    void tell_of_compiling(std::chrono::seconds so_far) const;
    [[nodiscard]] bool is_split() const { return route_.upload() != route_.compute(); }

    struct Launched {
        std::string pass;
        cl::Event event;                            ///< none: as long as others of `series`
        Clock::time_point enqueued;                 ///< just before
        std::string program = {};                   ///< empty: a copy
        bool is_first = false;                      ///< of its kernel
        std::shared_ptr<LaunchSeries> series = {};  ///< Timing::some
    };
    void account(const Launched& launch, const DeviceClock& clock, std::vector<StageTime>& times);

    Device& device_;
    Timing timing_;
    Route route_;
    double share_ = 1;
    std::map<std::string, double> shares_;  ///< of passes of which not all was launched
    std::vector<Launched> launches_;
    std::vector<Span> spans_;
    std::vector<cl::Event> awaited_;  ///< by the next kernel: of other queues for kernels
    cl::Event last_upload_;  ///< if uploads have another queue: the next kernel waits for it, and then it is none
    bool ends_without_event_ = false;  ///< the last kernel has none, and no marker follows it
    std::vector<cl::Event> markers_;
};

}  // namespace clconv
