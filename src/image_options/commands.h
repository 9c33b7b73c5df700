// SPDX-License-Identifier: Apache-2.0
// The subcommands that read or write image files: their names, options and help, and what such files mean to the
// commands of src/cli. What they do is in the module of image files (image_module.h).
#pragma once

#include "cli/commands.h"

#include <string>
#include <vector>

namespace clconv {

[[nodiscard]] ImageFiles with_image_files();

int run_command(const std::vector<std::string>& arguments);
int bloom_command(const std::vector<std::string>& arguments);
int deconvolve_command(const std::vector<std::string>& arguments);
int compare_command(const std::vector<std::string>& arguments);
int psf_command(const std::vector<std::string>& arguments);
int report_command(const std::vector<std::string>& arguments);
int merge_reports_command(const std::vector<std::string>& arguments);

}  // namespace clconv
