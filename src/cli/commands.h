// SPDX-License-Identifier: Apache-2.0
// The subcommands that need no image file.
#pragma once

#include "cli/command.h"
#include "cli/parts_problem.h"
#include "cli/plan_options.h"
#include "cli/tune_command.h"
#include "engine/convolver.h"
#include "report/events.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// The problems of `clconv plan INPUT --psf PSF`. Throws as `run` does for its files.
using PlannedFiles = std::function<std::vector<PartsProblem>(const PlanOptions&, const ConvolveSettings&, Sink&)>;

/// Image files for `clconv tune`, as typed.
struct TunedFiles {
    std::vector<std::string> like;
    std::vector<std::string> psfs;
    std::string psf_part;
};
/// The problems that `clconv run` with its defaults would make of these files, each once.
using TunedProblems = std::function<std::vector<Problem>(const TunedFiles&, const TuneOptions&, Sink&)>;

/// What a clconv with image files has in addition. The defaults are for a clconv without image files.
struct ImageFiles {
    std::string library = "without image files";        ///< that reads and writes them: "OpenImageIO 2.4.7"
    std::vector<Command> commands = {};                 ///< that read or write them
    std::string_view example = "bench --suite planes";  ///< of a command line
    PlannedFiles planned = {};
    TunedProblems tuned = {};
};

[[nodiscard]] std::vector<Command> device_commands(const ImageFiles& files);

int plan_command(const std::vector<std::string>& arguments, const PlannedFiles& problems_of_files);
int tune_command(const std::vector<std::string>& arguments, const TunedProblems& problems_of_files);
int bench_command(const std::vector<std::string>& arguments);
int selftest_command(const std::vector<std::string>& arguments);
int warm_command(const std::vector<std::string>& arguments);
int devices_command(const std::vector<std::string>& arguments);

}  // namespace clconv
