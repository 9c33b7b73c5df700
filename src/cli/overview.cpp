#include "cli/overview.h"

#include "base/errors.h"
#include "cli/version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string version_line(const std::string& image_library)
{
    return fmt::format("clconv {} ({})\n", kVersion, image_library);
}

const Command& command_named(const std::vector<Command>& commands, std::string_view name)
{
    const auto found = std::ranges::find(commands, name, &Command::name);
    if (found != commands.end()) return *found;
    std::vector<std::string_view> names;
    names.reserve(commands.size());
    for (const Command& command : commands) names.push_back(command.name);
    throw InvalidProblem(fmt::format("{}: no such {}; use one of {}, or see clconv --help", name,
                                     name.starts_with('-') ? "option" : "command", fmt::join(names, ", ")));
}

}  // namespace clconv
