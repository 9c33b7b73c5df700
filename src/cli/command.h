// SPDX-License-Identifier: Apache-2.0
// A subcommand: its name, its line in `clconv --help`, and what it does.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// `run` takes the words after the name, and returns the process's exit code or throws.
struct Command {
    std::string_view name;
    std::string_view purpose;
    std::function<int(const std::vector<std::string>&)> run;
};

}  // namespace clconv
