// SPDX-License-Identifier: Apache-2.0
// clconv bench: times the engine on data that stays on the device.
#include "cli/bench_command.h"

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/standard_output.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>

namespace clconv {

namespace {

constexpr const char* kBenchAbout =
    "Time the convolution of random images that stay on the device, check the result against direct double sums,\n"
    "and compare each pass with the bytes that it must move at the device's copy bandwidth. Exit 5 if a result "
    "is wrong.";

constexpr const char* kBenchExamples =
    "Examples:\n"
    "  clconv bench --suite standard                                    seven sizes, 1024x1024 to 8K RGB\n"
    "  clconv bench --size 3840x2160 --psf-size 511 --type u8 --layout interleaved --border clamp\n"
    "  clconv bench --size 2048x2048 --channels 1 --radix 8 --json";

}  // namespace

int bench_command(const std::vector<std::string>& arguments)
{
    CLI::App app(kBenchAbout, "clconv bench");
    app.footer(kBenchExamples);
    BenchOptions options;
    add_bench_options(app, options);
    if (!parse(app, arguments)) return all_done;
    const BenchReport report =
        bench(options, [](const std::string& text) { fmt::print(stderr, "warning: {}\n", text); });
    print(options.json ? render_json(report) : render_table(report));
    return report.all_right() ? all_done : no_device;
}

}  // namespace clconv
