// SPDX-License-Identifier: Apache-2.0
#include "opencl/device.h"

#include "base/errors.h"
#include "opencl/device_selection.h"
#include "opencl/driver_cache.h"
#include "opencl/given_context.h"
#include "opencl/handles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace clconv {
namespace {

struct Found {
    DeviceInfo info;
    cl::Device device;
};

std::string type_name(cl_device_type type)
{
    if (type & CL_DEVICE_TYPE_GPU) return "gpu";
    if (type & CL_DEVICE_TYPE_CPU) return "cpu";
    if (type & CL_DEVICE_TYPE_ACCELERATOR) return "accelerator";
    return "other";
}

DeviceTraits traits_of(const cl::Device& device, const DeviceInfo& info)
{
    DeviceTraits traits;
    traits.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
    traits.max_work_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    traits.global_memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
    traits.max_allocation = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
    traits.is_cpu = info.type == "cpu";
    traits.is_nvidia = contains_text(info.platform, "nvidia");
    traits.cache = device.getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>();
    traits.vector_floats = static_cast<int>(device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>());
    traits.has_double = device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0;
    return traits;
}

DeviceInfo info_of(const cl::Platform& platform, const cl::Device& device, std::string index)
{
    DeviceInfo info;
    info.index = std::move(index);
    info.platform = platform.getInfo<CL_PLATFORM_NAME>();
    info.name = device.getInfo<CL_DEVICE_NAME>();
    info.vendor = device.getInfo<CL_DEVICE_VENDOR>();
    info.driver = device.getInfo<CL_DRIVER_VERSION>();
    info.version = device.getInfo<CL_DEVICE_VERSION>();
    info.type = type_name(device.getInfo<CL_DEVICE_TYPE>());
    info.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    info.clock_mhz = device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>();
    info.traits = traits_of(device, info);
    return info;
}

/// The devices of a platform; none if its driver is broken, so that it does not hide the others.
std::vector<cl::Device> devices_of(const cl::Platform& platform)
{
    std::vector<cl::Device> devices;
    try {
        platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error&) {
        devices.clear();
    }
    return devices;
}

/// The platforms of the OpenCL loader. Keeps $OCL_ICD_FILENAMES, a list of drivers, which Khronos' loader cuts at the
/// first colon when it reads it: the processes that this one starts would find only the first driver.
std::vector<cl::Platform> platforms_of_loader()
{
    constexpr const char* name = "OCL_ICD_FILENAMES";
    const char* const value = std::getenv(name);
    const std::string drivers = value ? value : "";
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    if (value && drivers != std::getenv(name)) ::setenv(name, drivers.c_str(), 1);
    return platforms;
}

std::vector<Found> find_devices()
{
    prepare_pocl();
    std::vector<cl::Platform> platforms;
    try {
        platforms = platforms_of_loader();
    } catch (const cl::Error&) {
        return {};
    }
    std::vector<Found> found;
    for (std::size_t p = 0; p < platforms.size(); ++p) {
        const auto devices = devices_of(platforms[p]);
        for (std::size_t d = 0; d < devices.size(); ++d)
            found.push_back({info_of(platforms[p], devices[d], fmt::format("{}:{}", p, d)), devices[d]});
    }
    return found;
}

}  // namespace

std::vector<DeviceInfo> list_devices()
{
    std::vector<DeviceInfo> infos;
    for (Found& found : find_devices()) infos.push_back(std::move(found.info));
    return infos;
}

std::vector<DeviceInfo> select_devices(std::string_view selector) { return select_among(list_devices(), selector); }

cl::Device device_of(const std::string& index)
{
    for (const Found& found : find_devices())
        if (found.info.index == index) return found.device;
    throw DeviceError(fmt::format("no OpenCL device {} was found", index));
}

DeviceInfo info_of(const GivenContext& given)
{
    const auto devices = given.context.getInfo<CL_CONTEXT_DEVICES>();
    if (std::ranges::find(devices, given.device) == devices.end())
        throw InvalidProblem("the context does not have the device");
    for (const Found& found : find_devices())
        if (found.device == given.device) return found.info;
    throw DeviceError("the device of the context is not among those that OpenCL's loader lists");
}

cl::Device same_device(const DeviceIdentity& identity)
{
    const Found* same = nullptr;
    const std::vector<Found> all = find_devices();
    for (const Found& found : all) {
        if (found.info.platform != identity.platform || found.info.name != identity.name) continue;
        if (!same || found.info.index == identity.index) same = &found;
    }
    if (same) return same->device;
    throw DeviceError(fmt::format("it finds no device {} of {} ({} here); it finds {} devices", identity.name,
                                  identity.platform, identity.index, all.size()));
}

namespace {

std::vector<Route> make_routes(const Device::Handles& handles, bool is_cpu)
{
    if (is_cpu) return {{handles.queue, handles.queue, handles.queue}};
    const auto make_queue = [&] {
        return cl::CommandQueue(handles.context, handles.device, CL_QUEUE_PROFILING_ENABLE);
    };
    const cl::CommandQueue upload = make_queue();
    const cl::CommandQueue download = make_queue();
    return {{upload, handles.queue, download}, {upload, make_queue(), download}};
}

void make_queues(Device::Handles& handles, bool is_cpu)
{
    handles.queue = cl::CommandQueue(handles.context, handles.device, CL_QUEUE_PROFILING_ENABLE);
    handles.plain_queue = cl::CommandQueue(handles.context, handles.device);
    handles.preparing_queue = cl::CommandQueue(handles.context, handles.device);
    handles.routes = make_routes(handles, is_cpu);
}

}  // namespace

Device::Device(const DeviceInfo& info, ProgramCache programs)
    : info_(info),
      times_every_launch_(info.traits.is_cpu),
      handles_(std::make_unique<Handles>(info, std::move(programs)))
{
    try {
        handles_->device = device_of(info.index);
        handles_->context = cl::Context(handles_->device);
        make_queues(*handles_, info.traits.is_cpu);
    } catch (const cl::Error& error) {
        rethrow(error, fmt::format("opening device {} {}", info.index, info.name));
    }
}

std::shared_ptr<Device> opened_in(const GivenContext& given, const DeviceInfo& info, ProgramCache programs)
{
    auto device = std::make_shared<Device>(info, std::move(programs));
    Device::Handles& handles = device->handles();
    try {
        handles.device = given.device;
        handles.context = given.context;
        make_queues(handles, info.traits.is_cpu);
    } catch (const cl::Error& error) {
        rethrow(error, fmt::format("opening device {} {} in a given context", info.index, info.name));
    }
    return device;
}

Device::~Device() = default;

std::size_t Device::queues() const { return handles_->routes.size(); }

std::size_t Device::parallel_builds() const { return handles_->programs.parallel_builds(); }

std::shared_ptr<Device> Device::opened_again() const
{
    auto again = std::make_shared<Device>(info_, handles_->programs.cache());
    again->times_every_launch_ = times_every_launch_;
    return again;
}

void Device::keep_programs(std::chrono::duration<double> budget) noexcept { handles_->programs.keep(budget); }

}  // namespace clconv
