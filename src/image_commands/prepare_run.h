// SPDX-License-Identifier: Apache-2.0
// Makes a run of its options, and checks it before any work starts. No device is touched.
#pragma once

#include "batch/prepared_run.h"
#include "image_options/run_options.h"
#include "report/events.h"

#include <atomic>

namespace clconv {

/// Checks in this order: usage, inputs, outputs. Nothing is written. Lists of inputs are waited for until `stop` is
/// not 0. Throws InvalidProblem, InputError, NoInput or OutputExists.
[[nodiscard]] PreparedRun prepare_run(const RunOptions& options, const std::atomic<int>& stop, Sink& sink);

}  // namespace clconv
