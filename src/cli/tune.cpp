// clconv tune: measures plans on a device and remembers the best.
#include "cli/tune_command.h"

#include "base/errors.h"
#include "batch/isolated_reading.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/log_options.h"
#include "cli/problem_options.h"
#include "cli/standard_output.h"
#include "codecs/image_file.h"
#include "files/listing.h"
#include "image_commands/psf_loading.h"
#include "report/log.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace clconv {

namespace {

constexpr const char* kTuneAbout =
    "Measure plans on a device and remember the best: later runs of the same problems are faster.\n"
    "Every candidate's result is checked before its time counts. With --sweep, study one kind of decision instead.";

constexpr const char* kTuneExamples =
    "Examples:\n"
    "  clconv tune                                      common photo and video sizes, in a minute\n"
    "  clconv tune --like photos --psf disc.png         the problems of these images with this PSF\n"
    "  clconv tune --size 3840x2160 --psf-size 511 --type half --budget 30s --html tuned.html\n"
    "  clconv tune --sweep radix --residence global --size 1024x1024\n"
    "  clconv tune --list";

struct FileOptions {
    std::vector<std::string> like;
    std::vector<std::string> psfs;
};

/// The problems that `clconv run` with its defaults would make of these files, each once.
std::vector<Problem> problems_of_files(const FileOptions& files, const TuneOptions& options, Sink& sink)
{
    if (files.like.empty() != files.psfs.empty())
        throw InvalidProblem("give --like INPUT and --psf PSF together; see clconv tune --help");
    if (files.like.empty()) return {};
    ProblemOptions problem_options;
    if (!options.work.border.empty()) problem_options.border = options.work.border;
    problem_options.mode = options.work.mode;
    problem_options.precision = options.work.precision;
    const ConvolveSettings settings = convolve_settings(problem_options);
    const PsfSet psfs = psf_set(load_psfs(files.psfs, psf_settings(problem_options), sink), problem_options);
    InputRequest request;
    request.inputs = files.like;
    std::vector<Problem> problems;
    for (const InputFile& file : list_inputs(request, readable_extensions(), sink)) {
        DecodeRules rules;
        rules.channels = parse_channels("");
        const Image image = isolated_header(file.path, Light::stored, rules);
        if (image.channels == 0) continue;
        for (std::size_t number = 0; number < psfs.all().size(); ++number) {
            const auto psf = psfs.for_image(number, image);
            const SampleType output = image.straight_alpha ? SampleType::float32 : image.type;
            const Problem problem = problem_of(image.view(), *psf, settings, output);
            if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
        }
    }
    return problems;
}

}  // namespace

int tune_command(const std::vector<std::string>& arguments)
{
    CLI::App app(kTuneAbout, "clconv tune");
    app.footer(kTuneExamples);
    TuneOptions options;
    FileOptions files;
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
    OptionList list(app);
    add_log_options(list, log_choice);
    if (!parse(app, arguments)) return all_done;

    Log log(log_options(log_choice), nullptr);
    const Progress progress = [&log](const std::string& text) { log.message(Level::info, text); };
    print(tune(options, problems_of_files(files, options, log), progress));
    return all_done;
}

}  // namespace clconv
