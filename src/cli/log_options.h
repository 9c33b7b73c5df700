// The options that say how much is printed.
#pragma once

#include "report/log.h"

#include <CLI/App.hpp>

#include <string>

namespace clconv {

/// As typed.
struct LogChoice {
    int verbose = 0;
    bool quiet = false;
    std::string level;
    std::string file;
};

void add_log_options(CLI::App& app, LogChoice& choice);

/// Throws InvalidProblem naming the levels.
[[nodiscard]] LogOptions log_options(const LogChoice& choice);

}  // namespace clconv
