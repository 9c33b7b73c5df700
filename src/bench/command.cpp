#include "bench/command.h"

#include "base/errors.h"
#include "base/parse_extent.h"
#include "bench/render.h"
#include "records/tuned_plans.h"

#include <fmt/format.h>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace clconv {
namespace {

template <class T>
T named(const char* option, const std::string& text, std::optional<T> found, const char* wanted)
{
    if (!found) throw InvalidProblem(fmt::format("{} {}: no such value; use {}", option, text, wanted));
    return *found;
}

BenchCase base_case(const BenchOptions& options)
{
    BenchCase base;
    Problem& problem = base.problem;
    problem.channels = options.channels;
    problem.border = named("--border", options.border, border_named(options.border),
                           "zero, constant, clamp, wrap, mirror, reflect or renormalize");
    problem.mode = named("--mode", options.mode, mode_named(options.mode), "same, full or valid");
    problem.input = problem.output =
        named("--type", options.type, sample_type_named(options.type), "u8, u16, half or float");
    problem.layout = named("--layout", options.layout, layout_named(options.layout), "interleaved or planar");
    problem.precision =
        named("--precision", options.precision, precision_named(options.precision), "float, half or double");
    Decisions& decisions = base.decisions;
    if (options.method != "auto")
        decisions.method =
            named("--method", options.method, method_named(options.method), "auto, direct, tiled or fft");
    decisions.radix_x =
        options.radix_x.empty() ? parse_radix(options.radix) : parse_radix(options.radix_x, "--radix-x");
    decisions.radix_y =
        options.radix_y.empty() ? parse_radix(options.radix) : parse_radix(options.radix_y, "--radix-y");
    for (const std::string& decision : options.decisions) decide(decisions, decision);
    return base;
}

std::vector<BenchCase> cases_of(const BenchOptions& options)
{
    const BenchCase base = base_case(options);
    if (options.suite == "standard") return standard_suite(base);
    if (options.suite == "planes") return plane_suite(base);
    if (!options.suite.empty())
        throw InvalidProblem(fmt::format("--suite {}: no such suite; use standard or planes", options.suite));
    std::vector<BenchCase> cases;
    const std::vector<std::string> sizes =
        options.sizes.empty() ? std::vector<std::string>{"3840x2160"} : options.sizes;
    const std::vector<std::string> psfs =
        options.psf_sizes.empty() ? std::vector<std::string>{"63"} : options.psf_sizes;
    for (const std::string& size : sizes)
        for (const std::string& psf : psfs)
            cases.push_back(resized(base, parse_extent("--size", size, Square::no), options.channels,
                                    parse_extent("--psf-size", psf, Square::yes)));
    return cases;
}

}  // namespace

void add_bench_options(CLI::App& app, BenchOptions& options)
{
    constexpr const char* what = "What to time";
    app.add_option("--size", options.sizes, "image size, repeatable (default: 3840x2160)")
        ->type_name("WxH")
        ->group(what);
    app.add_option("--suite", options.suite, "standard: seven sizes up to 8K RGB; planes: ten sizes of one channel")
        ->type_name("NAME")
        ->excludes("--size")
        ->group(what);
    app.add_option("--channels", options.channels, "channels of the images")
        ->type_name("C")
        ->capture_default_str()
        ->check(CLI::Validator(CLI::Range(1, 64)).description(""))
        ->group(what);
    app.add_option("--psf-size", options.psf_sizes, "PSF size, repeatable (default: 63)")
        ->type_name("K[xK]")
        ->group(what);
    const auto choice = [&](const char* name, std::string& value, const char* about, const char* type) {
        return app.add_option(name, value, about)->type_name(type)->capture_default_str();
    };
    choice("--type", options.type, "samples in and out: u8, u16, half or float", "TYPE")->group(what);
    choice("--layout", options.layout, "planar samples, or interleaved as files have them", "LAYOUT")->group(what);
    choice("--border", options.border, "border mode, as for clconv run, constant without a value", "MODE")->group(what);
    choice("--mode", options.mode, "same, full or valid", "MODE")->group(what);
    choice("--precision", options.precision, "float, half (spectra stored in half) or double", "P")->group(what);

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
    app.add_option("--device", options.device, "OpenCL device: P:D, gpu, cpu, or a part of its name")
        ->type_name("SEL")
        ->envname("CLCONV_DEVICE")
        ->group(how);
    app.add_option("--kernel-dir", options.kernel_dir, "kernels from this folder instead of the built-in ones")
        ->type_name("DIR")
        ->group(how);
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
    std::vector<BenchCase> cases = cases_of(options);
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
    for (BenchCase& bench_case : cases) bench_case.plans = plans;
    for (const BenchCase& bench_case : cases)
        report.cases.push_back(measure(device, kernels, bench_case, options.repeat));
    device.keep_programs(std::chrono::seconds(5));
    return options.json ? render_json(report) : render_table(report);
}

}  // namespace clconv
