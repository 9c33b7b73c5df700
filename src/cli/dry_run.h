// `clconv run --dry-run`: what would happen.
#pragma once

#include "cli/prepared_run.h"

namespace clconv {

/// Prints "input -> output" for each item, then the plan of the first image that can be read with each PSF.
void print_dry_run(const PreparedRun& run, const RunOptions& options, Sink& sink);

}  // namespace clconv
