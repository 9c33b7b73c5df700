// The work of a run, or of what is left of it: what the process does that may crash.
#pragma once

#include "batch/supervisor.h"
#include "cli/prepared_run.h"
#include "cli/run_options.h"

namespace clconv {

/// Opens devices, reads, convolves and writes. `run`: of which `attempt` is a part. As AttemptWork.
[[nodiscard]] AttemptEnd attempt_run(const RunOptions& options, const PreparedRun& run, const Attempt& attempt,
                                     CodecBoard& board, Sink& sink);

}  // namespace clconv
