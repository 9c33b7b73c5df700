// SPDX-License-Identifier: Apache-2.0
#include "opencl/device_choice.h"

#include "base/errors.h"
#include "opencl/device_selection.h"
#include "opencl/remembered_devices.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {

namespace {

std::vector<DeviceInfo> chosen_among(const std::vector<DeviceInfo>& all, const std::vector<std::string>& selectors,
                                     Messages& messages)
{
    if (selectors.empty()) return select_among(all, "");
    std::vector<DeviceInfo> chosen;
    for (const std::string& selector : selectors)
        for (const DeviceInfo& device : select_among(all, selector)) chosen.push_back(device);
    const auto is_other = [&](const DeviceInfo& device) {
        return device.name != chosen[0].name || device.driver != chosen[0].driver;
    };
    if (const auto other = std::ranges::find_if(chosen, is_other); other != chosen.end())
        messages.message(
            Level::warning,
            fmt::format("{} {} and {} {} are of different kinds: the last bits of an output depend on the device that "
                        "made it",
                        chosen[0].index, chosen[0].name, other->index, other->name));
    return chosen;
}

}  // namespace

std::vector<DeviceInfo> chosen_devices(const std::vector<std::string>& selectors, Messages& messages)
{
    return chosen_among(list_devices(), selectors, messages);
}

DeviceTraits with_memory(DeviceTraits traits, std::uint64_t bytes)
{
    traits.global_memory = std::min(traits.global_memory, bytes);
    traits.max_allocation = std::min(traits.max_allocation, bytes);
    return traits;
}

std::vector<DeviceInfo> devices_to_plan_for(const std::vector<std::string>& selectors, const CacheFolder& folder,
                                            Messages& messages)
{
    if (const std::vector<DeviceInfo> remembered = remembered_devices(folder, machine_state()); !remembered.empty()) {
        try {
            return chosen_among(remembered, selectors, messages);
        } catch (const DeviceError&) {  // the device may be new
        }
    }
    const std::vector<DeviceInfo> all = found_devices(folder);
    if (!selectors.empty() || !all.empty()) return chosen_among(all, selectors, messages);
    messages.message(Level::warning, "no OpenCL device was found; this plan is for a GPU with 32 KiB of local memory");
    return {DeviceInfo{}};
}

}  // namespace clconv
