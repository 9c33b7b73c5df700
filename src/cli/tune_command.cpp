// SPDX-License-Identifier: Apache-2.0
#include "cli/tune_command.h"

#include "base/choice.h"
#include "base/clock.h"
#include "base/counted.h"
#include "base/errors.h"
#include "base/printable.h"
#include "base/special_file.h"
#include "bench/measure.h"
#include "files/output_checks.h"
#include "plan_records/pass_store.h"
#include "plan_records/tuned_plans.h"
#include "report/text_file.h"
#include "tune/device_passes.h"
#include "tune/pass_menu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

namespace clconv {
namespace {

constexpr double kShortSearchSeconds = 5;
constexpr double kUnlimitedSeconds = std::numeric_limits<double>::infinity();
constexpr std::size_t kWithoutLimit = std::numeric_limits<std::size_t>::max();

bool sweeps_radices(const TuneOptions& options)
{
    return std::find(options.sweeps.begin(), options.sweeps.end(), "radix") != options.sweeps.end();
}

/// A radix study compares transforms of exactly the given size; only wrap needs no padding.
std::string border_of(const TuneOptions& options)
{
    if (!options.work.border.empty()) return options.work.border;
    return sweeps_radices(options) ? "wrap" : "clamp";
}

std::vector<Problem> problems_of(const TuneOptions& options)
{
    WorkOptions work = options.work;
    work.border = border_of(options);
    return problems_of(work);
}

Decisions forced_decisions(const TuneOptions& options)
{
    Decisions forced;
    if (!options.residence.empty()) forced.residence = choice<Residence>("--residence", options.residence);
    decide_once(forced, options.decisions);
    return forced;
}

std::string read_file(const std::string& option, const std::string& path)
{
    std::error_code failure;
    std::ifstream in(path, std::ios::binary);
    if (std::filesystem::is_directory(path, failure)) throw InputError(fmt::format("{} {}: is a folder", option, path));
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) throw InputError(fmt::format("{} {}: cannot be read", option, path));
    return text;
}

/// Before anything is measured. `beginning`: of a file that may be replaced.
void check_output_file(const std::string& option, const std::filesystem::path& path, char beginning)
{
    if (path.empty() || path == "-") return;
    if (is_folder(path)) throw InvalidProblem(fmt::format("{} {}: is a folder", option, path.string()));
    if (is_regular(path)) {
        char first = beginning;
        std::ifstream(path, std::ios::binary).get(first);
        if (first != beginning)
            throw InvalidProblem(
                fmt::format("{} {}: is a file of another kind; choose another", option, path.string()));
    }
    // Pipes and devices are written to; a file is made anew in its folder.
    if (special_file(path).empty()) check_folder_of(path, option);
}

void write_file(const std::string& option, const std::filesystem::path& path, const std::string& text)
{
    try {
        write_text_file(path, text);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{} {}", option, error.what()));
    }
}

std::string listed(const std::vector<Record>& records)
{
    std::string text;
    for (const Record& record : records)
        text +=
            fmt::format("{}\n  {} ({}), {}, kernels {}{}\n  {:.4f} ms, as planned {:.4f}: {}\n", record.key.problem,
                        record.key.device, record.key.compute_units, record.key.driver, record.key.kernels,
                        record.key.forced.empty() ? "" : fmt::format(", forced {}", fmt::join(record.key.forced, " ")),
                        record.ms, record.heuristic_ms, decisions_text(record.decisions));
    return text;
}

/// "rows 3888=18.18.12: 0.0123 us a line of float, 3240 lines", a line for each pass.
std::string listed(const std::vector<PassSet>& sets)
{
    std::string text;
    for (const PassSet& set : sets) {
        text += fmt::format("{} of {} ({}), {}, kernels {}\n", counted(set.passes.size(), "pass"), set.key.device,
                            set.key.compute_units, set.key.driver, set.key.kernels);
        for (const PassRecord& record : set.passes) {
            const PassPoint& last = record.points.back();
            text += fmt::format("  {}: {:.4g} us a line of {}, {} lines\n", to_string(record.pass),
                                last.ns * 1e-3 / last.lines, name_of(record.pass.samples), last.lines);
        }
    }
    return text;
}

/// Records and passes of a file that --export wrote. Passes of a device that is known already are added to those.
std::string imported(const std::string& file, const RecordStore& store, const PassStore& passes,
                     const Progress& progress)
{
    const std::string text = read_file("--import", file);
    const auto records = parse_records(text);
    if (!records) throw InputError(fmt::format("--import {}: holds no records; give a file that --export wrote", file));
    const auto unwritable = [&] {
        const std::string folder = store.folder().path().string();
        return InputError(folder.empty() ? "--import: there is no cache folder; set CLCONV_CACHE_DIR"
                                         : fmt::format("--import: {} cannot be written", folder));
    };
    for (const Record& record : *records)
        if (!store.keep(record)) throw unwritable();
    std::size_t count = 0;
    const std::string kernels = KernelSource::embedded().fingerprint();
    const std::vector<PassSet> kept = passes.all();
    for (const PassSet& set : parse_exported_passes(text)) {
        const auto own = std::ranges::find_if(kept, [&](const PassSet& known) {
            return known.key.kernels == kernels && known.key.platform == set.key.platform &&
                   known.key.device == set.key.device && known.key.compute_units == set.key.compute_units;
        });
        if (own != kept.end() && own->key != set.key) {
            progress(fmt::format("{} passes of {} are of another version of {} than those that are kept, and left out",
                                 set.passes.size(), set.key.device,
                                 set.key.kernels == kernels ? "the driver" : "clconv"));
            continue;
        }
        if (!passes.add(set)) throw unwritable();
        count += set.passes.size();
    }
    return fmt::format("{} and {} imported from {}", counted(records->size(), "record"), counted(count, "pass"), file);
}

std::size_t passes_in(const std::vector<PassSet>& sets)
{
    std::size_t count = 0;
    for (const PassSet& set : sets) count += set.passes.size();
    return count;
}

/// Opens a device, with compiler processes if they help, because tuning builds many programs.
Device opened(const DeviceInfo& info, const Progress& progress)
{
    return Device(info, {{}, {}, compiler_processes(info.traits), {}, progress});
}

/// The user's own records and those that are part of clconv.
std::vector<Record> known_records(const RecordStore& store)
{
    std::vector<Record> records = store.all();
    for (Record& record : shipped_records()) records.push_back(std::move(record));
    return records;
}

/// Removes all records and passes, and says how many. Throws InputError if some stay.
std::string forgotten(const RecordStore& store, const PassStore& passes)
{
    std::size_t gone = 0, gone_passes = 0;
    for (const Record& record : store.all()) gone += store.forget(record.key);
    for (const PassSet& set : passes.all()) gone_passes += passes.forget(set.key) ? set.passes.size() : 0;
    std::string text = fmt::format("{} and {} forgotten", counted(gone, "record"), counted(gone_passes, "pass"));
    if (const std::size_t left = store.all().size() + passes.all().size(); left > 0)
        throw InputError(fmt::format("--forget: {}, {} left in {}; is the folder read-only?", text,
                                     counted(left, "file"), store.folder().path().parent_path().string()));
    return text;
}

/// --list, --export, --import and --forget: about records only; no device is opened.
std::string manage_records(const TuneOptions& options, const RecordStore& store, const Progress& progress)
{
    const PassStore passes(CacheFolder::of_user());
    if (!options.import_file.empty()) progress(imported(options.import_file, store, passes, progress));
    if (!options.export_file.empty()) {
        const std::vector<Record> records = store.all();
        const std::vector<PassSet> sets = passes.all();
        write_file("--export", options.export_file, export_text(records, sets));
        progress(fmt::format("{} and {} written to {}", counted(records.size(), "record"),
                             counted(passes_in(sets), "pass"), options.export_file));
    }
    if (options.forget) progress(forgotten(store, passes));
    if (!options.html.empty())
        write_file("--html", options.html,
                   records_page({store.all(), passes.all()}, {shipped_records(), shipped_passes()}));
    if (!options.list) return "";
    if (options.json) return export_text(store.all(), passes.all());
    return printable(listed(store.all()) + listed(passes.all()));
}

/// The time budget of a command.
class Budget {
public:
    explicit Budget(double seconds) : seconds_(seconds) {}
    [[nodiscard]] double left_s() const
    {
        return seconds_ - std::chrono::duration<double>(Clock::now() - start_).count();
    }

private:
    double seconds_;
    Clock::time_point start_ = Clock::now();
};

/// The problems to measure, the device, and the time.
struct TuneWork {
    const TuneOptions& options;
    const std::vector<Problem>& problems;
    Device& device;
    const KernelSource& kernels;
    const Budget& budget;
    const Progress& progress;
};

void run_sweeps(TuneReport& report, const TuneWork& work)
{
    const Decisions forced = forced_decisions(work.options);
    for (const Problem& problem : work.problems)
        for (const std::string& kind : work.options.sweeps)
            for (Sweep& sweep : planned_sweeps(kind, problem, work.device.info().traits, forced)) {
                work.progress(fmt::format("{}: {}, {} values", token(problem), sweep.name, sweep.points.size()));
                measure_sweep(sweep, work.device, work.kernels, forced, [&] { return work.budget.left_s() <= 0; });
                report.sweeps.push_back(std::move(sweep));
            }
}

void run_searches(TuneReport& report, const TuneWork& work, const RecordStore& store)
{
    const auto& [options, problems, device, kernels, budget, progress] = work;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const double share =
            options.candidates ? kUnlimitedSeconds : budget.left_s() / static_cast<double>(problems.size() - i);
        if (share <= 0 && i > 0) {  // the first problem always gets its own plan measured
            progress(fmt::format("the budget has ended: {} problems were not tuned; give a larger --budget",
                                 problems.size() - i));
            return;
        }
        progress(options.candidates ? fmt::format("{}: {} candidates", token(problems[i]), *options.candidates)
                                    : fmt::format("{}: {:.0f} s", token(problems[i]), std::max(0.0, share)));
        const Decisions forced = forced_decisions(options);
        Tuned tuned =
            tune_problem(device, kernels,
                         {.problem = problems[i],
                          .forced = forced,
                          .budget_s = share,
                          .candidates = options.candidates.value_or(kWithoutLimit),
                          .in_use = answers_in_use(problems[i], device.info(), forced, kernels, CacheFolder::of_user()),
                          .known = known_records(store)});
        for (const Defect& defect : tuned.found.defects)
            progress(fmt::format("defect: {}: {}", decisions_text(defect.decisions), defect.what));
        if (tuned.found.attempts.empty())
            progress("there was nothing to compare, so there is no record");
        else if (!store.keep(tuned.record))
            progress("the record could not be kept: the cache folder cannot be written");
        report.tuned.push_back(std::move(tuned));
    }
}

/// Whether no option names a problem, so that the device's menu of passes is measured.
bool is_about_the_menu(const TuneOptions& options)
{
    return options.work.sizes.empty() && options.work.suite.empty() && options.work.psf_sizes.empty() &&
           options.sweeps.empty();
}

MenuRequest menu_request(const TuneOptions& options)
{
    const std::pair<const char*, bool> of_problems[] = {{"--border", !options.work.border.empty()},
                                                        {"--mode", options.work.mode != "same"},
                                                        {"--decide", !options.decisions.empty()},
                                                        {"--residence", !options.residence.empty()}};
    for (const auto& [name, given] : of_problems)
        if (given)
            throw InvalidProblem(fmt::format("{}: is not used to measure a device's passes; give --size, too", name));
    const Problem work = problems_of(options).front();
    return {work.channels, work.input, work.layout, work.precision};
}

/// Measures the device's menu of passes. What is known of the same driver and kernels is not measured again.
void run_menu(TuneReport& report, const TuneOptions& options, const TuneWork& work)
{
    const PassStore store(CacheFolder::of_user());
    const DeviceInfo& info = work.device.info();
    const PassSetKey key = pass_set_key(info, work.kernels.fingerprint());
    std::optional<PassSet> known = store.of_device(info, key.kernels), outdated;
    if (known && known->key != key) std::swap(known, outdated);
    if (const std::vector<PassSet> others = store.of_device(info); !known && !outdated && !others.empty())
        outdated = others.front();
    bool kept = true;
    PassTunerSettings settings;
    settings.plans = options.candidates.value_or(kWithoutLimit);
    if (!options.candidates) settings.out_of_time = [&] { return work.budget.left_s() <= 0; };
    settings.keep = [&](const PassSet& set) { kept = store.add(set) && kept; };
    settings.progress = work.progress;
    DevicePasses arena(work.device, work.kernels);
    PassSet passes = known.value_or(PassSet{key, {}});
    passes.copy_gb_s = report.copy_gb_s;
    const std::vector<PassSet> shipped = shipped_passes();
    PassCosts fast_there;
    if (const PassSet* related = related_passes(outdated, shipped, info)) {
        work.progress(fmt::format("plans that are fast on {} are measured first", related->key.device));
        fast_there = PassCosts(related->passes, info.traits, related->key.compute_units);
        settings.related = &fast_there;
    }
    report.passes =
        tune_passes(pass_menu(info.traits, menu_request(options)), info.traits, std::move(passes), arena, settings);
    for (const Defect& defect : report.passes->defects)
        work.progress(fmt::format("defect: {}: {}", decisions_text(defect.decisions), defect.what));
    if (!kept) work.progress("the passes could not be kept: the cache folder cannot be written");
}

}  // namespace

double parse_seconds(const std::string& option, const std::string& text)
{
    struct Unit {
        std::string_view name;
        double seconds;
    };
    static constexpr Unit kUnits[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"", 1}};
    std::size_t end = 0;
    double value = -1;
    try {
        value = std::stod(text, &end);
    } catch (const std::exception&) {
        end = 0;
    }
    for (const Unit& unit : kUnits)
        if (end > 0 && value > 0 && std::isfinite(value * unit.seconds) && text.substr(end) == unit.name)
            return value * unit.seconds;
    throw InvalidProblem(fmt::format("{} {}: not a duration; write for instance 30s, 2m or 500ms", option, text));
}

void add_tune_options(CLI::App& app, TuneOptions& options)
{
    options.work.default_sizes = {"1920x1080", "3840x2160", "4000x3000", "6000x4000"};  // photographs and videos
    options.work.default_when = " with --psf-size or --sweep";
    options.work.type = "u8";
    options.work.layout = "interleaved";
    add_work_options(app, options.work, "What to tune",
                     "border mode (default: clamp; for --sweep radix wrap, which needs no padding)");

    constexpr const char* how = "How";
    app.add_option("--budget", options.budget, "time limit, builds included: 30s, 2m (default: 1m; for sweeps 10m)")
        ->type_name("TIME")
        ->group(how);
    app.add_option(
           "--sweep", options.sweeps,
           "a study instead of a search, repeatable: radix (the largest radix), shape (of work-groups), method, "
           "all, or a decision, with values if you like: row-items=32,64")
        ->type_name("KIND")
        ->allow_extra_args(false)
        ->group(how);
    app.add_option("--candidates", options.candidates,
                   "compare N plans of a problem with the planned one, however long that takes; without a problem, "
                   "measure N plans of the menu; replaces the time limit")
        ->type_name("N")
        ->check(CLI::Validator(CLI::Range(1, 1000000)).description(""))
        ->excludes("--budget")
        ->excludes("--sweep")
        ->group(how);
    app.add_option("--residence", options.residence, "short for --decide residence=local|global")
        ->type_name("WHERE")
        ->group(how);
    app.add_option("--decide", options.decisions,
                   "force a decision, repeatable: the records apply to runs that force the same")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->group(how);
    add_device_options(app, options.device, options.kernel_dir, how);

    constexpr const char* output = "Output";
    app.add_flag("--explain", options.explain, "also list every candidate, and why others were not tried")
        ->group(output);
    app.add_flag("--json", options.json, "print JSON instead of tables")->group(output);
    app.add_flag("--csv", options.csv, "print CSV instead of tables")->excludes("--json")->group(output);
    app.add_option("--html", options.html, "also write a page with charts and sortable tables")
        ->type_name("FILE")
        ->group(output);

    constexpr const char* records = "Records (nothing is measured)";
    app.add_flag("--list", options.list, "print all records")->group(records);
    const CLI::Validator named(
        [](const std::string& file) { return std::string(file.empty() ? "give the name of a file" : ""); }, "");
    app.add_option("--export", options.export_file, "write all records to a file")
        ->type_name("FILE")
        ->check(named)
        ->group(records);
    app.add_option("--import", options.import_file, "add the records of such a file")
        ->type_name("FILE")
        ->check(named)
        ->group(records);
    app.add_flag("--forget", options.forget, "remove all records")->group(records);
}

std::string tune(const TuneOptions& options, std::vector<Problem> problems, const Progress& progress)
{
    const RecordStore store(CacheFolder::of_user());
    check_output_file("--html", options.html, '<');
    check_output_file("--export", options.export_file, '{');
    const std::string unused = store.folder().distrust_in_words();
    if (options.list || options.forget || !options.export_file.empty() || !options.import_file.empty()) {
        if (!unused.empty()) throw InputError(unused);
        if (options.csv) throw InvalidProblem("--csv: records are no table; use --json");
        return manage_records(options, store, progress);
    }
    if (!unused.empty()) progress(unused);

    const bool studies = !options.sweeps.empty();
    const Budget budget(options.budget.empty() ? (studies ? 600 : 60) : parse_seconds("--budget", options.budget));
    const bool menu = problems.empty() && is_about_the_menu(options);
    if (menu) (void)menu_request(options);  // refuse what makes no sense before a device is opened
    if (problems.empty()) problems = problems_of(options);
    const KernelSource kernels =
        options.kernel_dir.empty() ? KernelSource::embedded() : KernelSource::from_folder(options.kernel_dir);
    Device device = opened(select_devices(options.device).front(), progress);
    TuneReport report{device.info(), copy_bandwidth(device), {}, {}, {}};
    const TuneWork work{options, problems, device, kernels, budget, progress};
    if (menu)
        run_menu(report, options, work);
    else if (studies)
        run_sweeps(report, work);
    else
        run_searches(report, work, store);
    if (!options.html.empty()) write_file("--html", options.html, tune_page(report));
    if (options.json) return tune_json(report);
    return options.csv ? tune_csv(report) : tune_table(report, options.explain);
}

TunedPlans::Measure short_search(const KernelSource& kernels, const CacheFolder& caches, Progress progress)
{
    return [kernels, caches, progress = std::move(progress)](const Problem& problem, const DeviceInfo& info,
                                                             const Decisions& forced) -> std::optional<Record> {
        progress(fmt::format("tuning {}: about {:.0f} s", token(problem), kShortSearchSeconds));
        Device device = opened(info, progress);
        const RecordStore store(caches);
        Tuned tuned = tune_problem(device, kernels,
                                   {.problem = problem,
                                    .forced = forced,
                                    .budget_s = kShortSearchSeconds,
                                    .in_use = answers_in_use(problem, info, forced, kernels, caches),
                                    .known = known_records(store)});
        if (tuned.found.attempts.empty()) return std::nullopt;
        (void)store.keep(tuned.record);
        return std::move(tuned.record);
    };
}

}  // namespace clconv
