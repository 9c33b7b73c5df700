// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

namespace clconv {

std::vector<Command> device_commands(const ImageFiles& files)
{
    const auto plan = [planned = files.planned](const auto& words) { return plan_command(words, planned); };
    const auto tune = [tuned = files.tuned](const auto& words) { return tune_command(words, tuned); };
    return {
        {"plan", "print what would run, pass by pass, and why", plan},
        {"tune", "measure plans on a device and remember the best", tune},
        {"bench", "time the engine against the device's memory", bench_command},
        {"selftest", "check that a device computes correctly", selftest_command},
        {"warm", "build the programs of a device in advance", warm_command},
        {"devices", "list OpenCL devices", devices_command},
    };
}

}  // namespace clconv
