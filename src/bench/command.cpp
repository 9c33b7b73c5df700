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
    app.add_option("--size", options.sizes, "Image sizes, WxH (default 3840x2160)");
    app.add_option("--suite", options.suite, "standard: seven sizes up to 8K RGB; planes: ten sizes of one channel")
        ->excludes("--size");
    app.add_option("--channels", options.channels, "Channels of the image")
        ->capture_default_str()
        ->check(CLI::Range(1, 64));
    app.add_option("--psf-size", options.psf_sizes, "PSF sizes, K or KxK (default 63)");
    app.add_option("--border", options.border, "Border mode")->capture_default_str();
    app.add_option("--mode", options.mode, "same, full or valid")->capture_default_str();
    app.add_option("--method", options.method, "auto, direct, tiled or fft")->capture_default_str();
    app.add_option("--type", options.type, "Sample type in and out: u8, u16, half or float")->capture_default_str();
    app.add_option("--precision", options.precision, "float, half (spectra stored in half) or double")
        ->capture_default_str();
    app.add_option("--layout", options.layout, "planar or interleaved samples")->capture_default_str();
    app.add_option("--radix", options.radix, "auto, a largest radix, or a sequence such as 16,16,4")
        ->capture_default_str();
    app.add_option("--radix-x", options.radix_x, "The same for rows only");
    app.add_option("--radix-y", options.radix_y, "The same for columns only");
    app.add_option("--decide", options.decisions,
                   "Force a decision of the plan, KEY=VALUE: " + fmt::format("{}", fmt::join(decision_keys(), ", ")));
    app.add_option("--tuning", options.tuning, "auto, with what clconv tune has measured; off, without")
        ->capture_default_str();
    app.add_option("--device", options.device, "Index P:D, gpu, cpu, or a part of the name")->envname("CLCONV_DEVICE");
    app.add_option("--kernel-dir", options.kernel_dir, "Kernels from this folder instead of the embedded ones");
    app.add_option("--repeat", options.repeat, "Series that are timed")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    app.add_flag("--no-cache", options.no_cache, "Use no programs that earlier runs kept, and keep none");
    app.add_flag("--json", options.json, "Print JSON instead of a table");
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
