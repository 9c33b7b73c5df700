// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_command.h"

#include "base/choice.h"
#include "base/errors.h"
#include "engine/build_ahead.h"
#include "plan_records/tuned_plans.h"
#include "settings/offered_values.h"

#include <fmt/format.h>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace clconv {
namespace {

Decisions forced_decisions(const BenchOptions& options)
{
    Decisions decisions;
    if (options.method != "auto") decisions.method = choice<Method>("--method", options.method, "auto, ");
    decisions.radix_x =
        options.radix_x.empty() ? parse_radix(options.radix) : parse_radix(options.radix_x, "--radix-x");
    decisions.radix_y =
        options.radix_y.empty() ? parse_radix(options.radix) : parse_radix(options.radix_y, "--radix-y");
    decide_once(decisions, options.decisions);
    // One size is timed again and again, so special programs are used. They give the same bytes.
    if (!decisions.programs) decisions.programs = Programs::special;
    return decisions;
}

/// Files have 8-bit interleaved samples. A suite's figures are compared with libraries, which transform planes of
/// floats without a border.
struct Default {
    const char* name;
    std::string WorkOptions::*value;
    const char* of_files;
    const char* of_suites;
};
constexpr Default kDefaults[] = {{"type", &WorkOptions::type, "u8", "float"},
                                 {"layout", &WorkOptions::layout, "interleaved", "planar"},
                                 {"border", &WorkOptions::border, "clamp", "zero"}};

WorkOptions with_defaults(WorkOptions work)
{
    for (const Default& one : kDefaults) {
        std::string& value = work.*one.value;
        if (value.empty()) value = work.suite.empty() ? one.of_files : one.of_suites;
    }
    return work;
}

/// The differences of the timed work from that of clconv run: "programs special, type float".
std::string deviations(const WorkOptions& work, const Decisions& decisions)
{
    std::vector<std::string> found;
    if (decisions.programs == Programs::special) found.emplace_back("programs special to each size");
    for (const Default& one : kDefaults)
        if (work.*one.value != one.of_files) found.push_back(fmt::format("{} {}", one.name, work.*one.value));
    return fmt::format("{}", fmt::join(found, ", "));
}

}  // namespace

void add_bench_options(CLI::App& app, BenchOptions& options)
{
    options.work.default_sizes = {"3840x2160"};
    add_work_options(app, options.work, "What to time", "border mode, as for clconv run, constant without a value");
    for (const Default& one : kDefaults) {
        CLI::Option* const option = app.get_option(fmt::format("--{}", one.name));
        option->description(
            fmt::format("{} (default: {}; for suites {})", option->get_description(), one.of_files, one.of_suites));
    }

    const auto choice = [&](const char* name, std::string& value, const char* about, const char* type) {
        return app.add_option(name, value, about)->type_name(type)->capture_default_str();
    };
    constexpr const char* how = "How it is computed";
    offer(choice("--method", options.method, "auto, fft, tiled or direct", "METHOD"), with_names<Method>({"auto"}))
        ->group(how);
    choice("--radix", options.radix, "auto, a largest radix, or a sequence such as 16,16,4", "R")->group(how);
    app.add_option("--radix-x", options.radix_x, "the same for rows only")->type_name("R")->group(how);
    app.add_option("--radix-y", options.radix_y, "the same for columns only")->type_name("R")->group(how);
    choice("--tuning", options.tuning, "auto, use what clconv tune has measured; off, plan without", "HOW")->group(how);
    app.add_option("--decide", options.decisions,
                   "force a decision of the plan, repeatable: " + fmt::format("{}", fmt::join(decision_keys(), ", ")))
        ->type_name("KEY=VALUE")
        ->group(how);
    add_device_options(app, options.device, options.kernel_dir, how);
    app.add_flag("--no-cache", options.no_cache, "do not use kept programs, and keep none")->group(how);

    constexpr const char* output_group = "Timing and output";
    app.add_option("--repeat", options.repeat, "number of timed series")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Validator(CLI::Range(1, 1000)).description(""))
        ->group(output_group);
    app.add_option("--images", options.images,
                   "convolve this many images in each launch, which a GPU needs for small ones")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Validator(CLI::Range(1, 256)).description(""))
        ->group(output_group);
    app.add_option("--queues", options.queues,
                   "enqueue images on this many queues at once; a GPU has 2, and run uses both")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Validator(CLI::Range(1, 2)).description(""))
        ->group(output_group);
    app.add_flag("--json", options.json, "print JSON instead of tables")->group(output_group);
}

BenchReport bench(const BenchOptions& options, const std::function<void(const std::string&)>& warn)
{
    const WorkOptions work = with_defaults(options.work);
    const std::vector<Problem> problems = problems_of(work);
    const Decisions decisions = forced_decisions(options);
    const std::optional<Tuning> tuning =
        options.tuning == name_of(Tuning::measure) ? std::nullopt : value_named<Tuning>(options.tuning);
    (void)choice("--tuning", options.tuning, tuning, "auto or off");
    const KernelSource kernels =
        options.kernel_dir.empty() ? KernelSource::embedded() : KernelSource::from_folder(options.kernel_dir);
    const CacheFolder cache = options.no_cache ? CacheFolder() : CacheFolder::of_user();
    ProgramCache programs{cache.below("programs"), {}};
    const DeviceInfo info = select_devices(options.device).front();
    programs.compilers = compiler_processes(info.traits);
    programs.warn = warn;
    const auto device = std::make_shared<Device>(info, programs);
    if (static_cast<std::size_t>(options.queues) > device->queues())
        throw InvalidProblem(fmt::format("--queues {}: {} has {} for kernels, as CPUs have", options.queues, info.name,
                                         device->queues()));
    BenchReport report{device->info(), copy_bandwidth(*device), deviations(work, decisions), {}};
    const PlanSource plans = plan_source(
        std::make_shared<TunedPlans>(*tuning, cache, kernels.fingerprint(), [](const std::string& /*note*/) {}));
    BuildAhead ahead(device, kernels);
    for (const Problem& problem : problems)
        ahead.expect(problem, [&] { return recipes_of(plans(problem, info, decisions).plan, info.traits); });
    for (const Problem& problem : problems)
        report.cases.push_back(
            measure(*device, kernels, {problem, decisions, plans, options.queues, options.images}, options.repeat));
    device->keep_programs(std::chrono::seconds(5));
    return report;
}

}  // namespace clconv
