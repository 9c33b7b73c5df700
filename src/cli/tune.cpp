// SPDX-License-Identifier: Apache-2.0
// clconv tune: measures plans on a device and remembers the best.
#include "cli/tune_command.h"

#include "base/errors.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/log_options.h"
#include "cli/standard_output.h"
#include "report/log.h"

#include <CLI/CLI.hpp>

namespace clconv {

namespace {

constexpr const char* kTuneAbout =
    "Measure on a device and remember: later runs are faster.\n"
    "Without a problem, measure the device's menu of passes, which serve images of any size. With --size, --suite,\n"
    "--psf-size or --like, search the best plan of these problems. With --sweep, study one kind of decision.\n"
    "Every candidate's result is checked before its time counts.";

constexpr const char* kTuneExamples =
    "Examples:\n"
    "  clconv tune                                      passes for images of any size, for a minute\n"
    "  clconv tune --type float --layout planar --budget 10m\n"
    "  clconv tune --like photos --psf disc.png         the problems of these images with this PSF\n"
    "  clconv tune --size 3840x2160 --psf-size 511 --type half --budget 30s --html tuned.html\n"
    "  clconv tune --sweep radix --residence global --size 1024x1024\n"
    "  clconv tune --list";

/// The problems of the files; none if the options name no files.
std::vector<Problem> problems_of(const TunedFiles& files, const TuneOptions& options, Sink& sink,
                                 const TunedProblems& problems_of_files)
{
    if (files.like.empty() != files.psfs.empty())
        throw InvalidProblem("give --like INPUT and --psf PSF together; see clconv tune --help");
    if (files.like.empty()) return {};
    if (!problems_of_files) throw InvalidProblem("this clconv was built without image files; give --size");
    return problems_of_files(files, options, sink);
}

}  // namespace

int tune_command(const std::vector<std::string>& arguments, const TunedProblems& problems_of_files)
{
    CLI::App app(kTuneAbout, "clconv tune");
    app.footer(kTuneExamples);
    TuneOptions options;
    TunedFiles files;
    LogChoice log_choice;
    add_tune_options(app, options);
    app.add_option("--like", files.like, "use the problems of these images: files, folders, patterns")
        ->type_name("INPUT")
        ->excludes("--size")
        ->excludes("--suite")
        ->group("What to tune");
    app.add_option("--psf", files.psfs, "with these PSFs: files, or words such as gaussian:2.5")
        ->type_name("PSF")
        ->group("What to tune");
    app.add_option("--psf-part", files.psf_part, "which image of a PSF file that has several, as in clconv run")
        ->type_name("N|NAME")
        ->group("What to tune");
    OptionList list(app);
    add_log_options(list, log_choice);
    if (!parse(app, arguments)) return all_done;

    Log log(log_options(log_choice), nullptr);
    const Progress progress = [&log](const std::string& text) { log.message(Level::info, text); };
    print(tune(options, problems_of(files, options, log, problems_of_files), progress));
    return all_done;
}

}  // namespace clconv
