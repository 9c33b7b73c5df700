// SPDX-License-Identifier: Apache-2.0
// clconv plan: what would run, and why, without running it.
#include "base/choice.h"
#include "base/counted.h"
#include "base/errors.h"
#include "base/parse_extent.h"
#include "base/parse_number.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/kernel_files.h"
#include "cli/parts_problem.h"
#include "cli/plan_json.h"
#include "cli/plan_options.h"
#include "cli/sample_type_option.h"
#include "cli/standard_output.h"
#include "cli/tuning_option.h"
#include "cli/work_options.h"
#include "engine/menu.h"
#include "engine/planned_in_words.h"
#include "opencl/device_choice.h"
#include "report/log.h"
#include "settings/cache_option.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace clconv {

namespace {

constexpr const char* kPlanAbout =
    "Print the plan of one convolution: padded size, the stages of each pass, memory, and the "
    "reasons.\nGive either an image and a PSF, or sizes.";

constexpr const char* kPlanExamples =
    "Examples:\n"
    "  clconv plan photo.jpg --psf disc.png\n"
    "  clconv plan --size 3840x2160 --channels 3 --psf-size 511 --type u8 --border mirror\n"
    "  clconv plan --size 1024x1024 --psf-size 31x15 --radix-x 8 --decide residence=global\n"
    "  clconv plan --size 1920x1080 --psf-size 63 --decisions\n"
    "  clconv plan --size 1920x1080 --psf-size 63 --kernels programs\n"
    "  clconv plan --size 1920x1080 --psf-size 63 --json\n"
    "  clconv plan --menu --psf-size 63 --type half --channels 4";

/// The origin of a PSF whose size alone is known.
Position origin_of_size(Extent psf, const OriginRule& rule, bool correlate)
{
    Position origin{psf.width / 2, psf.height / 2};
    if (rule.kind == OriginRule::Kind::fixed) origin = rule.position;
    return correlate ? Position{psf.width - 1 - origin.x, psf.height - 1 - origin.y} : origin;
}

/// `--channels` together with --size.
int channel_count(const std::string& text)
{
    if (text.empty()) return 3;
    const std::optional<int> count = parse_number<int>(text);
    if (!count || *count < 1)
        throw InvalidProblem(fmt::format("--channels {}: with sizes, give the number of channels, 1 or more", text));
    return *count;
}

Problem problem_of_sizes(const PlanOptions& options, const ConvolveSettings& settings)
{
    Problem problem;
    // The menu is for any size.
    problem.image = options.size.empty() ? Extent{1024, 1024} : parse_extent("--size", options.size, Square::no);
    problem.channels = channel_count(options.channels);
    problem.input = sample_type_option("--type", options.type);
    problem.output = depth_option(options.depth).value_or(problem.input);
    problem.layout = choice<Layout>("--layout", options.layout);
    problem.psf = options.psf_size.empty() ? Extent{kDefaultPsfSide, kDefaultPsfSide}
                                           : parse_extent("--psf-size", options.psf_size, Square::yes);
    problem.origin = origin_of_size(problem.psf, psf_settings(options.problem).origin, settings.correlate);
    problem.psf_channels = options.psf_channels;
    problem.border = settings.border;
    problem.mode = settings.mode;
    problem.precision = settings.precision;
    problem.decode_srgb = options.problem.linear && is_integer(problem.input);
    problem.encode_srgb = options.problem.linear && is_integer(problem.output);
    return problem;
}

/// The problems to plan, at least one.
std::vector<PartsProblem> wanted_problems(const PlanOptions& options, const ConvolveSettings& settings, Sink& sink,
                                          const PlannedFiles& problems_of_files)
{
    const bool files =
        !options.input.empty() && !options.psf.empty() && options.size.empty() && options.psf_size.empty();
    const bool sizes = (options.menu || (!options.size.empty() && !options.psf_size.empty())) &&
                       options.input.empty() && options.psf.empty();
    if (files && !problems_of_files)
        throw InvalidProblem("this clconv was built without image files; give --size and --psf-size");
    if (files) return problems_of_files(options, settings, sink);
    if (sizes) return {{{0}, problem_of_sizes(options, settings)}};
    throw InvalidProblem("give either INPUT and --psf, or --size and --psf-size; see clconv plan --help");
}

bool no_problem_given(const PlanOptions& options)
{
    return options.input.empty() && options.psf.empty() && options.size.empty() && options.psf_size.empty();
}

/// The decisions as a table. Without chosen ones, it has no column for them.
std::string decision_table(const std::vector<ExplainedDecision>& decisions)
{
    std::vector<std::array<std::string, 4>> rows{{"KEY", "VALUES", "CHOSEN", "MEANING"}};
    for (const ExplainedDecision& d : decisions)
        rows.push_back({std::string(d.key), std::string(d.values), d.value, std::string(d.meaning)});
    std::array<std::size_t, 3> widths{};
    for (const auto& row : rows)
        for (std::size_t c = 0; c < widths.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    const bool any_chosen =
        std::any_of(decisions.begin(), decisions.end(), [](const auto& d) { return !d.value.empty(); });
    std::string text;
    for (const auto& [key, values, chosen, meaning] : rows) {
        text += fmt::format("{:<{}}  {:<{}}  ", key, widths[0], values, widths[1]);
        if (any_chosen) text += fmt::format("{:<{}}  ", chosen.empty() ? "-" : chosen, widths[2]);
        text += meaning + "\n";
    }
    return text;
}

/// The programs, one a line, and their number.
std::string program_list(const std::vector<Recipe>& programs)
{
    std::string text;
    for (const Recipe& program : programs) text += program.name + "\n";
    return text;
}

/// Writes the programs of `plan`. Returns the files' names, one a line.
std::string written_programs(const Plan& plan, const DeviceTraits& traits, const PlanOptions& options)
{
    std::string text;
    for (const std::filesystem::path& file :
         write_kernel_files(options.kernels, recipes_of(plan, traits), title_of(plan), options.overwrite))
        text += file.string() + "\n";
    return text;
}

/// The requested text about a problem: its plan, its programs or its decisions.
std::string answer_of(const Problem& problem, const PlanOptions& options, const DeviceInfo& device,
                      const ConvolveSettings& settings)
{
    const auto plan = [&] { return settings.plans(problem, device, settings.decisions).plan; };
    if (options.programs) return program_list(recipes_of(plan(), device.traits));
    if (options.decisions) return decision_table(explained(decisions_of(plan())));
    return planned_in_words(problem, device, settings);
}

/// The answers for all problems. If there are several, each has its parts as a headline.
std::string answers_of(const std::vector<PartsProblem>& problems, const PlanOptions& options, const DeviceInfo& device,
                       const ConvolveSettings& settings)
{
    if (problems.size() == 1) return answer_of(problems.front().problem, options, device, settings);
    std::string text;
    for (const PartsProblem& entry : problems)
        text += fmt::format("{}{}:\n{}", text.empty() ? "" : "\n", parts_in_words(entry.parts),
                            answer_of(entry.problem, options, device, settings));
    return text;
}

/// The plans of all problems as JSON.
std::string json_of(const std::vector<PartsProblem>& problems, const DeviceInfo& device,
                    const ConvolveSettings& settings)
{
    nlohmann::ordered_json plans = nlohmann::ordered_json::array();
    for (const PartsProblem& entry : problems) {
        nlohmann::ordered_json plan{{"parts", entry.parts}};
        plan.update(plan_json(entry.problem, device, settings));
        plans.push_back(std::move(plan));
    }
    const nlohmann::ordered_json all{{"device", device.name}, {"driver", device.driver}, {"plans", std::move(plans)}};
    return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// The problem whose programs are written: they are those of one plan.
const Problem& only_problem(const std::vector<PartsProblem>& problems, const PlanOptions& options)
{
    if (problems.size() > 1)
        throw InvalidProblem(
            fmt::format("{}: its parts have {} plans, and --kernels writes the programs of one; choose a part with "
                        "--parts {}",
                        options.input, problems.size(), problems.front().parts.front()));
    return problems.front().problem;
}

}  // namespace

int plan_command(const std::vector<std::string>& arguments, const PlannedFiles& problems_of_files)
{
    CLI::App app(kPlanAbout, "clconv plan");
    app.footer(kPlanExamples);
    PlanOptions options;
    add_plan_options(app, options);
    if (!parse(app, arguments)) return all_done;

    if (options.decisions && no_problem_given(options)) {
        print(decision_table(explained({})));
        return all_done;
    }

    LogOptions warnings_only;
    warnings_only.level = Level::warning;
    Log log(warnings_only, nullptr);
    ConvolveSettings settings = convolve_settings(options.problem);
    const std::vector<PartsProblem> problems = wanted_problems(options, settings, log, problems_of_files);
    DeviceInfo device =
        devices_to_plan_for(options.problem.device, cache_folder(options.problem.no_cache), log).front();
    device.traits = with_memory(device.traits, device_memory(options.problem));
    settings.plans =
        plans_for(options.problem.tuning, cache_folder(options.problem.no_cache), KernelSource::embedded(), log);
    if (options.menu) {
        const std::vector<Recipe> programs = menu_programs(problems.front().problem, device.traits);
        print(program_list(programs) +
              fmt::format("{} for images of any size on {}\n", counted(programs.size(), "program"), device.name));
        return all_done;
    }
    if (!options.kernels.empty()) {
        const Problem& problem = only_problem(problems, options);
        print(written_programs(settings.plans(problem, device, settings.decisions).plan, device.traits, options));
        return all_done;
    }
    print(options.json ? json_of(problems, device, settings) : answers_of(problems, options, device, settings));
    return all_done;
}

}  // namespace clconv
