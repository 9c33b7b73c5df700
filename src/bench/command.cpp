#include "bench/command.h"

#include "base/errors.h"
#include "bench/render.h"
#include "records/tuned_plans.h"

#include <fmt/format.h>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace clconv {
namespace {

Decisions forced_decisions(const BenchOptions& options)
{
    Decisions decisions;
    if (options.method != "auto")
        decisions.method =
            named("--method", options.method, method_named(options.method), "auto, direct, tiled or fft");
    decisions.radix_x =
        options.radix_x.empty() ? parse_radix(options.radix) : parse_radix(options.radix_x, "--radix-x");
    decisions.radix_y =
        options.radix_y.empty() ? parse_radix(options.radix) : parse_radix(options.radix_y, "--radix-y");
    for (const std::string& decision : options.decisions) decide(decisions, decision);
    return decisions;
}

}  // namespace

void add_bench_options(CLI::App& app, BenchOptions& options)
{
    options.work.default_sizes = {"3840x2160"};
    options.work.type = "float";
    options.work.layout = "planar";
    options.work.border = "zero";
    add_work_options(app, options.work, "What to time", "border mode, as for clconv run, constant without a value");

    const auto choice = [&](const char* name, std::string& value, const char* about, const char* type) {
        return app.add_option(name, value, about)->type_name(type)->capture_default_str();
    };
    constexpr const char* how = "How it is computed";
    choice("--method", options.method, "auto, fft, tiled or direct", "METHOD")->group(how);
    choice("--radix", options.radix, "auto, a largest radix, or a sequence such as 16,16,4", "R")->group(how);
    app.add_option("--radix-x", options.radix_x, "the same for rows only")->type_name("R")->group(how);
    app.add_option("--radix-y", options.radix_y, "the same for columns only")->type_name("R")->group(how);
    choice("--tuning", options.tuning, "auto, use what clconv tune has measured; off, plan without", "HOW")->group(how);
    app.add_option("--decide", options.decisions,
                   "force a decision of the plan, repeatable: " + fmt::format("{}", fmt::join(decision_keys(), ", ")))
        ->type_name("KEY=VALUE")
        ->group(how);
    add_device_options(app, options.device, options.kernel_dir, how);
    app.add_flag("--no-cache", options.no_cache, "use no programs that earlier runs kept, and keep none")->group(how);

    constexpr const char* tell = "How it is timed and told";
    app.add_option("--repeat", options.repeat, "series that are timed")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Validator(CLI::Range(1, 1000)).description(""))
        ->group(tell);
    app.add_flag("--json", options.json, "print JSON instead of tables")->group(tell);
}

std::string bench(const BenchOptions& options)
{
    const std::vector<Problem> problems = problems_of(options.work);
    const Decisions decisions = forced_decisions(options);
    const std::optional<Tuning> tuning = tuning_named(options.tuning);
    if (!tuning || tuning == Tuning::measure)
        throw InvalidProblem(fmt::format("--tuning {}: no such value; use auto or off", options.tuning));
    const KernelSource kernels =
        options.kernel_dir.empty() ? KernelSource::embedded() : KernelSource::from_folder(options.kernel_dir);
    const CacheFolder cache = options.no_cache ? CacheFolder() : CacheFolder::of_user();
    Device device(select_devices(options.device).front(), {cache.below("programs"), {}});
    BenchReport report{device.info(), copy_bandwidth(device), {}};
    const PlanSource plans = plan_source(
        std::make_shared<TunedPlans>(*tuning, cache, kernels.fingerprint(), [](const std::string& /*note*/) {}));
    for (const Problem& problem : problems)
        report.cases.push_back(measure(device, kernels, {problem, decisions, plans}, options.repeat));
    device.keep_programs(std::chrono::seconds(5));
    return options.json ? render_json(report) : render_table(report);
}

}  // namespace clconv
