// SPDX-License-Identifier: Apache-2.0
// clconv selftest: checks that a device computes correctly.
#include "selftest/selftest.h"

#include "base/errors.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/log_options.h"
#include "cli/standard_output.h"
#include "opencl/device_choice.h"
#include "opencl/kept_programs.h"
#include "report/log.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clconv {

namespace {

constexpr const char* kSelftestAbout =
    "Check that a device computes correctly: every radix, residence, method, precision, border, "
    "extent and sample type\nagainst sums in double on the host. Exit 5 if anything is wrong.";

}  // namespace

int selftest_command(const std::vector<std::string>& arguments)
{
    CLI::App app(kSelftestAbout, "clconv selftest");
    std::string selector, kernel_dir, only;
    bool quick = false, json = false;
    LogChoice log_choice;
    app.add_option("--device", selector, "OpenCL device: P:D, gpu, cpu, or a part of its name")
        ->type_name("SEL")
        ->envname("CLCONV_DEVICE");
    app.add_option("--kernel-dir", kernel_dir, "kernels from this folder instead of the built-in ones")
        ->type_name("DIR");
    app.add_flag("--quick", quick, "only radices up to 8, methods and precisions, on a smaller image: for simulators");
    app.add_option("--only", only,
                   "only cases whose group and name contain this, such as direct, global, or radix 16, for drivers "
                   "that compile for minutes")
        ->type_name("TEXT");
    app.add_flag("--json", json, "print JSON, every case");
    OptionList list(app);
    add_log_options(list, log_choice);
    if (!parse(app, arguments)) return all_done;

    Log log(log_options(log_choice), nullptr);
    const KernelSource kernels = kernel_dir.empty() ? KernelSource::embedded() : KernelSource::from_folder(kernel_dir);
    Device device(chosen_devices(selector.empty() ? std::vector<std::string>{} : std::vector{selector}, log).front(),
                  {{}, {}, {}, slow_driver_messages(log)});
    const auto results = selftest(
        device, kernels, quick ? Thoroughness::quick : Thoroughness::full,
        [&log](const SelftestResult& result) {
            log.message(Level::debug,
                        fmt::format("{} {}: {}", result.group, result.name, result.right ? "right" : "WRONG"));
        },
        only);
    if (results.empty()) throw InvalidProblem(fmt::format("--only {}: no case has that in its name", only));
    const std::string suspect =
        kernel_dir.empty() ? "this device with this driver" : fmt::format("the kernels of {}", kernel_dir);
    print(json ? selftest_json(device.info(), results) : selftest_table(device.info(), results, suspect));
    return all_right(results) ? all_done : no_device;
}

}  // namespace clconv
