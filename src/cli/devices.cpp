// SPDX-License-Identifier: Apache-2.0
// clconv devices: the OpenCL devices there are.
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/standard_output.h"
#include "opencl/device_selection.h"
#include "opencl/remembered_devices.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace clconv {

namespace {

nlohmann::ordered_json device_json(const DeviceInfo& device)
{
    return {{"index", device.index},
            {"platform", device.platform},
            {"name", device.name},
            {"vendor", device.vendor},
            {"driver", device.driver},
            {"version", device.version},
            {"type", device.type},
            {"compute_units", device.compute_units},
            {"clock_mhz", device.clock_mhz},
            {"global_memory", device.traits.global_memory},
            {"local_memory", device.traits.local_memory},
            {"max_work_group", device.traits.max_work_group},
            {"max_allocation", device.traits.max_allocation},
            {"has_double", device.traits.has_double}};
}

std::string size_text(std::uint64_t bytes)
{
    constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
    if (bytes >= gibibyte) return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / static_cast<double>(gibibyte));
    return fmt::format("{} KiB", bytes >> 10);
}

std::string device_text(const DeviceInfo& device)
{
    return fmt::format(
        "{}  {} ({})\n"
        "     {}, {}, driver {}, vendor {}\n"
        "     {} compute units at {} MHz, {} of memory ({} in one allocation), {} local, work-groups to {}, {}\n",
        device.index, device.name, device.type, device.platform, device.version, device.driver, device.vendor,
        device.compute_units, device.clock_mhz, size_text(device.traits.global_memory),
        size_text(device.traits.max_allocation), size_text(device.traits.local_memory), device.traits.max_work_group,
        device.traits.has_double ? "double precision" : "no double precision");
}

void print_json(const std::vector<DeviceInfo>& devices)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const DeviceInfo& device : devices) list.push_back(device_json(device));
    print(list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace

int devices_command(const std::vector<std::string>& arguments)
{
    CLI::App app("List the OpenCL devices of this machine, as --device takes them. Exit 5 if there are none.",
                 "clconv devices");
    bool json = false;
    app.add_flag("--json", json, "print a JSON array; memory in bytes");
    if (!parse(app, arguments)) return all_done;

    // A look at what is there asks the drivers, and plans profit from it.
    const std::vector<DeviceInfo> devices = found_devices(CacheFolder::of_user());
    if (json)
        print_json(devices);
    else
        for (const DeviceInfo& device : devices) print(device_text(device));
    if (!devices.empty()) return all_done;
    fmt::print(stderr, "{}\n", no_device_message());
    return no_device;
}

}  // namespace clconv
