// SPDX-License-Identifier: Apache-2.0
// The subcommands that read or write image files, and what such files mean to those of src/cli. They are in the module
// of image files (image_options/image_module.h).
#pragma once

#include "cli/commands.h"

#include <string>
#include <vector>

namespace clconv {

int run_command(const std::vector<std::string>& arguments);
int bloom_command(const std::vector<std::string>& arguments);
int deconvolve_command(const std::vector<std::string>& arguments);
int compare_command(const std::vector<std::string>& arguments);
int psf_command(const std::vector<std::string>& arguments);
int merge_reports_command(const std::vector<std::string>& arguments);

/// See PlannedFiles.
[[nodiscard]] std::vector<PartsProblem> planned_files(const PlanOptions& options, const ConvolveSettings& settings,
                                                      Sink& sink);
/// See TunedProblems.
[[nodiscard]] std::vector<Problem> tuned_files(const TunedFiles& files, const TuneOptions& options, Sink& sink);

}  // namespace clconv
