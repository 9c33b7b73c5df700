// The work of a run, or of the rest of one, in the process that may crash.
#pragma once

#include "batch/supervisor.h"
#include "cli/prepared_run.h"
#include "cli/run_options.h"

namespace clconv {

/// Opens devices, reads, convolves and writes. `attempt` is a part of `run`. See AttemptWork.
[[nodiscard]] AttemptEnd attempt_run(const RunOptions& options, const PreparedRun& run, const Attempt& attempt,
                                     CodecBoard& board, Sink& sink);

}  // namespace clconv
