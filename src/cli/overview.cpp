// SPDX-License-Identifier: Apache-2.0
#include "cli/overview.h"

#include "base/edit_distance.h"
#include "base/errors.h"
#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/exit_codes.h"
#include "cli/standard_output.h"
#include "cli/version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace clconv {

std::string overview(const std::vector<Command>& commands, std::string_view example)
{
    std::string text =
        "clconv: convolve batches of images with point-spread functions, by FFT, on OpenCL devices\n\n"
        "Usage: clconv COMMAND [OPTIONS]\n\nCommands:\n";
    for (const Command& command : commands) text += fmt::format("  {:<15}{}\n", command.name, command.purpose);
    text +=
        "\nOptions:\n  -h,--help   print this, or the options of a command after it\n  --version   print "
        "the version\n\nFor example:\n";
    return text + fmt::format("  clconv {}\n  clconv {} --help\n", example, example.substr(0, example.find(' ')));
}

std::string version_line(std::string_view commit, const std::string& libraries)
{
    return fmt::format("clconv {} (commit {}, {})\n", kVersion, commit, libraries);
}

namespace {

/// `clconv help [COMMAND]`
int help_command(const std::vector<Command>& commands, std::string_view example,
                 const std::vector<std::string>& arguments)
{
    CLI::App app("Print the commands, or the options of a command: the same as clconv COMMAND --help.", "clconv help");
    std::string name;
    app.add_option("COMMAND", name, "of the list that clconv help prints")->type_name("");
    if (!parse(app, arguments)) return all_done;
    if (!name.empty()) return command_named(commands, name).run({"--help"});
    print(overview(commands, example));
    return all_done;
}

}  // namespace

std::vector<Command> commands_about(const std::vector<Command>& commands, std::string_view example)
{
    return {{"help", "print the options of a command",
             [&commands, example](const auto& words) { return help_command(commands, example, words); }},
            {"completion", "print a script that completes words in bash, zsh or fish",
             [&commands](const auto& words) { return completion_command(commands, words); }}};
}

const Command& command_named(const std::vector<Command>& commands, std::string_view name)
{
    const auto found = std::ranges::find(commands, name, &Command::name);
    if (found != commands.end()) return *found;
    std::vector<std::string> names;
    names.reserve(commands.size());
    for (const Command& command : commands) names.emplace_back(command.name);
    const std::string all = fmt::format("{}", fmt::join(names, ", "));
    if (name.starts_with('-'))
        throw InvalidProblem(fmt::format(
            "{}: no such option in front of a command; give options behind it ({}), or see clconv --help", name, all));
    throw InvalidProblem(fmt::format("{}: no such command{}; use one of {}, or see clconv --help", name,
                                     did_you_mean(name, names), all));
}

}  // namespace clconv
