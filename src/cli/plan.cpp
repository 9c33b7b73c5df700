// clconv plan: what would run, and why, without running it.
#include "conv/plan.h"
#include "base/errors.h"
#include "base/parse_extent.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/device_choice.h"
#include "cli/exit_codes.h"
#include "cli/plan_options.h"

#include "cli/psf_loading.h"
#include "cli/sample_type_option.h"
#include "cli/standard_output.h"
#include "image/image_file.h"
#include "report/log.h"

#include <CLI/CLI.hpp>

namespace clconv {

namespace {

constexpr const char* kAbout =
    "Print the plan of one convolution: padded size, the stages of each pass, memory, and the reasons.\n"
    "Either for an image and a PSF, or for sizes.";

constexpr const char* kExamples =
    "Examples:\n"
    "  clconv plan photo.jpg --psf disc.png\n"
    "  clconv plan --size 3840x2160 --channels 3 --psf-size 511 --type u8 --border mirror\n"
    "  clconv plan --size 1024x1024 --psf-size 31x15 --radix-x 8 --decide residence=global";

/// The origin of a PSF of which only the size is known.
Position origin_of_size(Extent psf, const OriginRule& rule, bool correlate)
{
    Position origin{psf.width / 2, psf.height / 2};
    if (rule.kind == OriginRule::Kind::fixed) origin = rule.position;
    return correlate ? Position{psf.width - 1 - origin.x, psf.height - 1 - origin.y} : origin;
}

Problem problem_of_sizes(const PlanOptions& options, const ConvolveSettings& settings)
{
    Problem problem;
    problem.image = parse_extent("--size", options.size, Square::no);
    problem.channels = options.channels;
    problem.input = sample_type_option("--type", options.type);
    problem.output = depth_option(options.depth).value_or(problem.input);
    problem.psf = parse_extent("--psf-size", options.psf_size, Square::yes);
    problem.origin = origin_of_size(problem.psf, psf_settings(options.problem).origin, settings.correlate);
    problem.psf_channels = options.psf_channels;
    problem.border = settings.border;
    problem.mode = settings.mode;
    return problem;
}

Problem problem_of_files(const PlanOptions& options, const ConvolveSettings& settings, Sink& sink)
{
    const auto psfs = load_psfs({options.psf}, psf_settings(options.problem), sink);
    const Image image = read_image(options.input);
    const SampleType stored = depth_option(options.depth).value_or(image.stored_type);
    return problem_of(image.view(), image.alpha_channel, *psfs[0], settings,
                      image.straight_alpha ? SampleType::float32 : stored);
}

Problem wanted_problem(const PlanOptions& options, const ConvolveSettings& settings, Sink& sink)
{
    const bool files =
        !options.input.empty() && !options.psf.empty() && options.size.empty() && options.psf_size.empty();
    const bool sizes =
        !options.size.empty() && !options.psf_size.empty() && options.input.empty() && options.psf.empty();
    if (files) return problem_of_files(options, settings, sink);
    if (sizes) return problem_of_sizes(options, settings);
    throw InvalidProblem("give either INPUT and --psf, or --size and --psf-size; see clconv plan --help");
}

}  // namespace

int plan_command(const std::vector<std::string>& arguments)
{
    CLI::App app(kAbout, "clconv plan");
    app.footer(kExamples);
    PlanOptions options;
    add_plan_options(app, options);
    if (!parse(app, arguments)) return all_done;

    LogOptions warnings_only;
    warnings_only.level = Level::warning;
    Log log(warnings_only, nullptr);
    const ConvolveSettings settings = convolve_settings(options.problem);
    const Problem problem = wanted_problem(options, settings, log);
    const DeviceTraits traits = traits_to_plan_for(options.problem.device, log);
    print(describe(make_plan(problem, traits, settings.decisions)));
    return all_done;
}

}  // namespace clconv
