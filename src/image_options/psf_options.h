// SPDX-License-Identifier: Apache-2.0
// The options of `clconv psf`.
#pragma once

#include "cli/log_options.h"
#include "settings/problem_options.h"

#include <string>

namespace clconv {

/// How messages call what would be --psf elsewhere.
inline constexpr const char* kPsfInErrors = "PSF";

struct PsfOptions {
    std::string spec;
    std::string output;
    std::string size = "auto";
    std::string preview;
    bool overwrite = false;
    ProblemOptions problem;
    LogChoice log;
};

}  // namespace clconv
