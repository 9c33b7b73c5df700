// The texts of `clconv`, `clconv --help` and `clconv --version`, and finding a command by its name.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

struct Command {
    std::string_view name;
    std::string_view purpose;
    std::function<int(const std::vector<std::string>&)> run;
};

[[nodiscard]] std::string overview(const std::vector<Command>& commands);

/// "clconv 0.1.0 (OpenImageIO 2.4.7)" and a newline.
[[nodiscard]] std::string version_line();

/// Throws InvalidProblem with a list of the commands.
[[nodiscard]] const Command& command_named(const std::vector<Command>& commands, std::string_view name);

}  // namespace clconv
