// SPDX-License-Identifier: Apache-2.0
// What commands do with image files. It is in the module of image files (image_options/image_module.h).
#pragma once

#include "cli/commands.h"
#include "image_options/compare_options.h"
#include "image_options/psf_options.h"
#include "image_options/report_options.h"
#include "image_options/run_options.h"
#include "settings/deconvolve_options.h"

#include <vector>

namespace clconv {

/// They run a command. They return its exit code, and throw usage errors.
int execute(const RunOptions& options);
int deconvolve(const DeconvolveOptions& options, RunOptions run);
int compare(const CompareOptions& options);
int make_psf(const PsfOptions& options);
int show_report(const ReportOptions& options);

/// See PlannedFiles.
[[nodiscard]] std::vector<PartsProblem> planned_files(const PlanOptions& options, const ConvolveSettings& settings,
                                                      Sink& sink);
/// See TunedProblems.
[[nodiscard]] std::vector<Problem> tuned_files(const TunedFiles& files, const TuneOptions& options, Sink& sink);

}  // namespace clconv
