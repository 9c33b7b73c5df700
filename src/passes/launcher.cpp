// SPDX-License-Identifier: Apache-2.0
#include "passes/launcher.h"

namespace clconv {
namespace {

Route one_queue(const cl::CommandQueue& queue) { return {queue, queue, queue}; }

std::size_t items_of(const cl::NDRange& global)
{
    std::size_t items = 1;
    for (std::size_t i = 0; i < global.dimensions(); ++i) items *= global.get()[i];
    return items;
}

}  // namespace

Launcher::Launcher(Device& device, Timing timing)
    : device_(device),
      timing_(timing),
      route_(one_queue(timing == Timing::off ? device.handles().plain_queue : device.handles().queue))
{
}

Launcher::Launcher(Device& device, const Route& route)
    : device_(device), timing_(device.times_every_launch() ? Timing::passes : Timing::some), route_(route)
{
}

Launcher::~Launcher()
{
    if (timing_ != Timing::off && launches_.empty()) return;
    try {
        for (const cl::CommandQueue& queue : {route_.upload, route_.compute, route_.download}) queue.finish();
    } catch (const cl::Error&) {  // a lost device no longer uses the memory
    }
}

template <class Command>
void Launcher::copy(std::string_view stage, const Command& command)
{
    if (timing_ == Timing::off) return command(nullptr);
    const auto enqueued = Clock::now();
    cl::Event event;
    command(&event);
    launches_.push_back({std::string(stage), event, enqueued});
}

void Launcher::enqueue(const std::string& pass, Kernel& kernel, const cl::NDRange& global, const cl::NDRange& local,
                       const cl::NDRange& offset)
{
    try {
        if (last_upload_()) awaited_.push_back(std::exchange(last_upload_, {}));
        if (!awaited_.empty()) route_.compute.enqueueBarrierWithWaitList(&awaited_);
        awaited_.clear();
        // A GPU may have other work to do while a kernel waits for its first launch.
        const bool is_first =
            device_.info().traits.is_cpu && device_.handles().first_launches.is_first(kernel.program(), kernel.name());
        std::shared_ptr<LaunchSeries> series;
        if (timing_ == Timing::some) series = kernel.series(pass, items_of(global));
        const bool is_timed = timing_ == Timing::passes || (series && series->times_next());
        const auto enqueued = Clock::now();
        cl::Event event;
        route_.compute.enqueueNDRangeKernel(kernel.handle(), offset, global, local, nullptr,
                                            is_timed ? &event : nullptr);
        if (timing_ == Timing::off) return;
        if (series && is_timed) series->add(event);
        ends_without_event_ = !is_timed;
        launches_.push_back({pass, event, enqueued, kernel.program(), is_first, std::move(series)});
    } catch (const cl::Error& error) {
        rethrow(error, "launching " + pass);
    }
}

Moment Launcher::so_far()
{
    cl::Event event;
    route_.compute.enqueueMarkerWithWaitList(nullptr, &event);
    route_.compute.flush();  // a queue may wait for an event only if its command was sent
    return {event, route_.compute};
}

void Launcher::after(const Moment& moment)
{
    if (!moment.is_of(route_.compute) && !moment.has_passed()) awaited_.push_back(moment.event());
}

void Launcher::write(const cl::Buffer& buffer, const void* from, std::size_t bytes, std::size_t offset)
{
    copy(stage::kUpload, [&](cl::Event* event) {
        route_.upload.enqueueWriteBuffer(buffer, CL_FALSE, offset, bytes, from, nullptr, event);
    });
    if (is_split()) last_upload_ = launches_.back().event;
}

void Launcher::read(const cl::Buffer& buffer, void* to, std::size_t bytes, std::size_t offset)
{
    const std::vector<cl::Event> kernels = kernels_so_far();
    copy(stage::kDownload, [&](cl::Event* event) {
        route_.download.enqueueReadBuffer(buffer, CL_FALSE, offset, bytes, to, &kernels, event);
    });
}

void Launcher::read_parts(const cl::Buffer& buffer, const std::vector<std::byte*>& to, std::size_t bytes)
{
    std::vector<cl::Event> kernels = kernels_so_far();
    for (std::size_t i = 0; i < to.size(); ++i) {
        copy(stage::kDownload, [&](cl::Event* event) {
            route_.download.enqueueReadBuffer(buffer, CL_FALSE, i * bytes, bytes, to[i], &kernels, event);
        });
        kernels.clear();  // a queue keeps its order
    }
}

std::vector<cl::Event> Launcher::kernels_so_far()
{
    if (!is_split()) return {};
    return {marker()};
}

cl::Event Launcher::marker()
{
    cl::Event& event = markers_.emplace_back();
    route_.compute.enqueueMarkerWithWaitList(nullptr, &event);
    ends_without_event_ = false;
    return event;
}

cl::Event Launcher::last()
{
    if (launches_.empty()) return {};
    const cl::Event& event = launches_.back().event;
    return event() ? event : marker();
}

void Launcher::show_host(const cl::Buffer& buffer, std::size_t bytes)
{
    void* mapped = nullptr;
    copy(stage::kDownload, [&](cl::Event* event) {
        mapped = route_.compute.enqueueMapBuffer(buffer, CL_FALSE, CL_MAP_READ, 0, bytes, nullptr, event);
    });
    const auto unmap = [&] {
        copy(stage::kDownload,
             [&](cl::Event* event) { route_.compute.enqueueUnmapMemObject(buffer, mapped, nullptr, event); });
    };
    try {
        unmap();
    } catch (const cl::Error& error) {
        // Mesa's rusticl cannot undo a mapping that has not happened yet.
        if (error.err() != CL_INVALID_VALUE) throw;
        route_.compute.finish();
        unmap();
    }
}

void Launcher::flush()
{
    for (const cl::CommandQueue& queue : {route_.upload, route_.compute, route_.download}) queue.flush();
}

/// Adds what a finished command did.
void Launcher::account(const Launched& launch, const DeviceClock& clock, std::vector<StageTime>& times)
{
    if (!launch.event()) return add_time(times, launch.pass, launch.series->mean());
    const auto seconds = [](std::uint64_t nanoseconds) { return Seconds(1e-9 * static_cast<double>(nanoseconds)); };
    const auto submitted = launch.event.getProfilingInfo<CL_PROFILING_COMMAND_SUBMIT>();
    const auto start = launch.event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    const auto end = launch.event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    const std::uint64_t idle = device_.handles().first_launches.idle_before({submitted, start, end});
    if (launch.is_first) {
        add_time(times, stage::kBuild, seconds(idle));
        spans_.push_back({"compiler", std::string(stage::kBuild), clock.on_host(start - idle), clock.on_host(start),
                          launch.program});
    }
    add_time(times, launch.pass, seconds(end - start));
    spans_.push_back({"device", launch.pass, clock.on_host(start), clock.on_host(end), launch.program});
}

/// Says so if the driver still compiles a kernel for its first launch: the first command that has not ended is that
/// launch, and it has not begun. For the thread of WhileCompiling.
void Launcher::tell_of_compiling(std::chrono::seconds so_far) const
{
    try {
        for (const Launched& launch : launches_) {
            if (!launch.event()) continue;
            const auto status = launch.event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
            if (status == CL_COMPLETE) continue;
            if (launch.is_first && status != CL_RUNNING)
                device_.handles().programs.cache().slow(launch.program, so_far);
            return;
        }
    } catch (const cl::Error&) {  // the thread that waits reports it
    }
}

std::vector<StageTime> Launcher::finish()
{
    std::vector<StageTime> times;
    try {
        const bool may_compile = device_.handles().programs.cache().slow &&
                                 std::ranges::find(launches_, true, &Launched::is_first) != launches_.end();
        const WhileCompiling watch(
            may_compile ? SlowDriver([this](const std::string& /*what*/, auto so_far) { tell_of_compiling(so_far); })
                        : SlowDriver(),
            {});
        if (ends_without_event_) (void)marker();
        flush();
        if (timing_ == Timing::off) route_.compute.finish();
        std::vector<cl::Event> events = std::exchange(markers_, {});
        for (const Launched& launch : launches_)
            if (launch.event()) events.push_back(launch.event);
        if (!events.empty()) cl::Event::waitForEvents(events);
        DeviceClock clock;
        for (const Launched& launch : launches_)
            if (launch.event())
                clock.see(launch.event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>(), launch.enqueued);
        for (const Launched& launch : launches_) account(launch, clock, times);
    } catch (const cl::Error& error) {
        rethrow(error, "waiting for " + device_.info().name);
    }
    launches_.clear();
    return times;
}

}  // namespace clconv
