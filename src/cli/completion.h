// SPDX-License-Identifier: Apache-2.0
// `clconv completion SHELL`: a script with which a shell completes commands, options and their values. It is made from
// the options that --help prints, so nothing else must be maintained.
#pragma once

#include "cli/command.h"

#include <string>
#include <vector>

namespace clconv {

/// `arguments`: bash, zsh or fish. Throws InvalidProblem.
int completion_command(const std::vector<Command>& commands, const std::vector<std::string>& arguments);

}  // namespace clconv
