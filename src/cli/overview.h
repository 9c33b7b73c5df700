// SPDX-License-Identifier: Apache-2.0
// The texts of `clconv`, `clconv --help` and `clconv --version`, and finding a command by its name.
#pragma once

#include "cli/command.h"

#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// `example`: of a command line.
[[nodiscard]] std::string overview(const std::vector<Command>& commands, std::string_view example);

/// "clconv 0.1.0 (commit 3a41f80c1b2d, OpenImageIO 2.4.7)" and a newline. `libraries`: names and versions.
[[nodiscard]] std::string version_line(std::string_view commit, const std::string& libraries);

/// `clconv help` and `clconv completion`. `commands`: all commands, also when these two run; `example` as above.
[[nodiscard]] std::vector<Command> commands_about(const std::vector<Command>& commands, std::string_view example);

/// Throws InvalidProblem with a list of the commands.
[[nodiscard]] const Command& command_named(const std::vector<Command>& commands, std::string_view name);

}  // namespace clconv
