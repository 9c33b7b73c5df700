// SPDX-License-Identifier: Apache-2.0
// The problems of image files, for clconv plan and clconv tune.
#include "image_commands/commands.h"

#include "base/errors.h"
#include "batch/image_work.h"
#include "batch/isolated_reading.h"
#include "cli/plan_options.h"
#include "cli/sample_type_option.h"
#include "cli/tune_command.h"
#include "codecs/image_file.h"
#include "files/listing.h"
#include "image_commands/part_plans.h"
#include "image_commands/psf_loading.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace clconv {

namespace {

/// The output of run by default: a file of the same format, or of any if that one cannot be written.
std::filesystem::path output_of(const std::filesystem::path& input)
{
    return can_be_written(input) ? input : "output.tif";
}

/// The problem of an image as run makes it.
Problem problem_as_run(const Image& image, const std::filesystem::path& input, const Psf& psf,
                       const ConvolveSettings& settings, const ImageWork& work)
{
    const std::filesystem::path output = output_of(input);
    return problem_of(engine_view(image, output, work), psf, settings, engine_output_type(image, output, work));
}

}  // namespace

std::vector<PartsProblem> planned_files(const PlanOptions& options, const ConvolveSettings& settings, Sink& sink)
{
    std::error_code failure;
    if (!std::filesystem::exists(options.input, failure))
        throw NoInput(fmt::format("no input found; looked for: {} ({})", options.input,
                                  failure ? failure.message() : "does not exist"));
    const PsfSet psfs = psf_set(load_psfs({options.psf}, psf_settings(options.problem), sink), options.problem);
    DecodeRules rules;
    rules.channels = parse_channels(options.channels);
    rules.nodata.source = NodataRule::Source::tag;
    rules.keeps_doubles = options.problem.precision == Precision::float64;
    const std::vector<PartHeader> parts = isolated_headers(
        options.input, options.problem.linear ? Light::linear : Light::stored, rules, PartChoice(options.parts));
    ImageWork work;
    work.depth = depth_option(options.depth);
    return problems_of(options.input, parts, [&](const Image& image) {
        return problem_as_run(image, options.input, *psfs.for_image(0, image), settings, work);
    });
}

std::vector<Problem> tuned_files(const TunedFiles& files, const TuneOptions& options, Sink& sink)
{
    ProblemOptions problem_options;
    problem_options.psf_part = files.psf_part;
    if (!options.work.border.empty()) problem_options.border = options.work.border;
    problem_options.mode = choice<Mode>("--mode", options.work.mode);
    problem_options.precision = choice<Precision>("--precision", options.work.precision);
    const ConvolveSettings settings = convolve_settings(problem_options);
    const PsfSet psfs = psf_set(load_psfs(files.psfs, psf_settings(problem_options), sink), problem_options);
    InputRequest request;
    request.inputs = files.like;
    std::vector<Problem> problems;
    for (const InputFile& file : list_inputs(request, readable_extensions(), sink)) {
        DecodeRules rules;
        rules.channels = parse_channels("");
        rules.nodata.source = NodataRule::Source::tag;
        const Image image = isolated_header(file.path, Light::stored, rules);
        if (image.channels == 0) continue;
        for (std::size_t number = 0; number < psfs.all().size(); ++number) {
            const auto psf = psfs.for_image(number, image);
            const Problem problem = problem_as_run(image, file.path, *psf, settings, {});
            if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
        }
    }
    return problems;
}

}  // namespace clconv
