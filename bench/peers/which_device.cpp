// SPDX-License-Identifier: Apache-2.0
// Says which OpenCL device clconv takes for a selector, so that bench/compare-peers gives every peer the same one.

#include "opencl/device.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <exception>

int main(int argc, char** argv)
{
    try {
        const clconv::DeviceInfo device = clconv::select_devices(argc > 1 ? argv[1] : "").front();
        const nlohmann::ordered_json json = {
            {"index", device.index}, {"name", device.name}, {"platform", device.platform}, {"type", device.type}};
        fmt::print("{}\n", json.dump());
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 5;
    }
}
