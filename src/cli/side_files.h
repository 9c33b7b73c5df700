// The files that a run writes beside its images: the report, the events, the trace, the manifest, the log.
#pragma once

#include "cli/run_options.h"

namespace clconv {

/// Throws InvalidProblem if one of them would replace an INPUT or a PSF, has the name of an image (a slip that costs a
/// photograph), or is in a folder that cannot be written to.
void check_side_files(const RunOptions& options);

}  // namespace clconv
