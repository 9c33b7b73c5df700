// SPDX-License-Identifier: Apache-2.0
// The options for the amount of log messages.
#pragma once

#include "report/log.h"

#include "settings/option_list.h"

#include <string>

namespace clconv {

/// As typed.
struct LogChoice {
    int verbose = 0;
    bool quiet = false;
    std::string level;
    std::string file;
};

void add_log_options(OptionList& list, LogChoice& choice);

/// Throws InvalidProblem with a list of the levels.
[[nodiscard]] LogOptions log_options(const LogChoice& choice);

}  // namespace clconv
