// clconv bench: times the engine on data that stays on the device.
#include "bench/command.h"

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/standard_output.h"

#include <CLI/CLI.hpp>

namespace clconv {

int bench_command(const std::vector<std::string>& arguments)
{
    CLI::App app(
        "Time the convolution of random images that stay on the device, check the result against direct double sums, "
        "and "
        "compare each pass with the bytes that it must move at the device's copy bandwidth.",
        "clconv bench");
    BenchOptions options;
    add_bench_options(app, options);
    if (!parse(app, arguments)) return all_done;
    print(bench(options));
    return all_done;
}

}  // namespace clconv
