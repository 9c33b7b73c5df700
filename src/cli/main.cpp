// clconv: batch image convolution on OpenCL devices.
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/overview.h"
#include "cli/standard_output.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

using clconv::Command;

int dispatch(const std::vector<std::string>& words)
{
    const std::vector<Command> commands = {
        {"run", "convolve images with one or more PSFs", clconv::run_command},
        {"bloom", "make bright parts glow", clconv::bloom_command},
        {"psf", "make a PSF from words such as gaussian:2.5, or from a measured one", clconv::psf_command},
        {"plan", "print what would run, pass by pass, and why", clconv::plan_command},
        {"merge-reports", "merge the reports of a batch's shards", clconv::merge_reports_command},
        {"tune", "measure plans on a device and remember the best", clconv::tune_command},
        {"bench", "time the engine against the device's memory", clconv::bench_command},
        {"selftest", "check that a device computes correctly", clconv::selftest_command},
        {"warm", "build the programs of a device in advance", clconv::warm_command},
        {"devices", "list OpenCL devices", clconv::devices_command},
    };
    if (words.empty()) {
        fmt::print(stderr, "{}", clconv::overview(commands));
        return clconv::usage_error;
    }
    if (words[0] == "--help" || words[0] == "-h") {
        clconv::print(clconv::overview(commands));
        return clconv::all_done;
    }
    if (words[0] == "--version") {
        clconv::print(clconv::version_line());
        return clconv::all_done;
    }
    return clconv::command_named(commands, words[0]).run({words.begin() + 1, words.end()});
}

}  // namespace

int main(int argc, char** argv)
{
    // A limit of `ulimit -f` is like a full disk: an error of one write. It must not end the process, which would leave
    // its temporary files.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return dispatch({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", clconv::printable(error.what()));
        return clconv::exit_code_of(error);
    }
}
