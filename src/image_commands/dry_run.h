// SPDX-License-Identifier: Apache-2.0
// `clconv run --dry-run`: prints what a run would do.
#pragma once

#include "image_commands/prepare_run.h"

#include <functional>
#include <string>

namespace clconv {

/// Replaces names of this process's own files in a text that is printed.
using ShownText = std::function<std::string(const std::string& text)>;

/// Prints "input -> output" for each item, then the plan of the first image that can be read with each PSF.
void print_dry_run(const PreparedRun& run, const ShownText& shown, Sink& sink);

}  // namespace clconv
