// SPDX-License-Identifier: Apache-2.0
// The work of a run, or of the rest of one, in the process that may crash.
#pragma once

#include "batch/prepared_run.h"
#include "batch/supervisor.h"

#include <exception>
#include <functional>

namespace clconv {

/// The exit code of a process that an error ended.
using ExitCodeOf = std::function<int(const std::exception&)>;

/// Opens devices, reads, convolves and writes. `attempt` is a part of `run`. See AttemptWork.
[[nodiscard]] AttemptEnd attempt_run(const PreparedRun& run, const Attempt& attempt, CodecBoard& board, Sink& sink,
                                     const ExitCodeOf& exit_code_of);

}  // namespace clconv
