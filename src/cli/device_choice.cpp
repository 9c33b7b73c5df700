#include "cli/device_choice.h"

#include "base/errors.h"

#include <fmt/format.h>

namespace clconv {

DeviceInfo chosen_device(const std::string& selector, Sink& sink)
{
    if (list_devices().empty()) throw DeviceError(no_device_message());
    const std::vector<DeviceInfo> devices = select_devices(selector);
    if (devices.size() > 1 && !selector.empty())
        sink.message(Level::info, fmt::format("--device {}: means {} devices; using the first, {} {}", selector,
                                              devices.size(), devices[0].index, devices[0].name));
    return devices.at(0);
}

DeviceTraits traits_to_plan_for(const std::string& selector, Sink& sink)
{
    if (!selector.empty() || !list_devices().empty()) return chosen_device(selector, sink).traits;
    sink.message(Level::warning, "no OpenCL device was found; this plan is for a GPU with 32 KiB of local memory");
    return {};
}

std::string no_device_message()
{
    return "no OpenCL device was found; install a driver for your GPU, or one that computes on the CPU: "
           "apt install pocl-opencl-icd";
}

}  // namespace clconv
