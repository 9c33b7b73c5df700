// SPDX-License-Identifier: Apache-2.0
// clconv: batch image convolution on OpenCL devices.
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/overview.h"
#include "cli/standard_output.h"
#include "cli/version.h"
#include "opencl/driver_cache.h"
#ifdef CLCONV_IMAGES
#include "image_options/commands.h"
#endif

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

using clconv::Command;

clconv::ImageFiles image_files()
{
#ifdef CLCONV_IMAGES
    return clconv::with_image_files();
#else
    return {};
#endif
}

int dispatch(const std::vector<std::string>& words)
{
    const clconv::ImageFiles files = image_files();
    std::vector<Command> commands = files.commands;
    for (Command& command : clconv::device_commands(files)) commands.push_back(std::move(command));
    for (Command& command : clconv::commands_about(commands, files.example)) commands.push_back(std::move(command));
    if (words.empty()) {
        fmt::print(stderr, "{}", clconv::overview(commands, files.example));
        return clconv::usage_error;
    }
    if (words[0] == "--help" || words[0] == "-h") {
        clconv::print(clconv::overview(commands, files.example));
        return clconv::all_done;
    }
    if (words[0] == "--version") {
        clconv::print(clconv::version_line(clconv::commit(), files.library));
        return clconv::all_done;
    }
    return clconv::command_named(commands, words[0]).run({words.begin() + 1, words.end()});
}

/// Standard streams that are closed stay so for reading and writing, but no file that is opened takes their numbers: it
/// would get what is printed.
void keep_closed_streams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0) (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv)
{
    // A limit of `ulimit -f` is like a full disk: an error of one write. It must not end the process, which would leave
    // its temporary files.
    std::signal(SIGXFSZ, SIG_IGN);
    keep_closed_streams();
    clconv::prefer_binaries_of_pocl();
    try {
        return dispatch({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", clconv::printable(error.what()));
        return clconv::exit_code_of(error);
    }
}
