// clconv run: convolve a batch of images.
#include "batch/output_checks.h"
#include "batch/pipeline.h"
#include "cli/cache_option.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/device_choice.h"
#include "cli/dry_run.h"
#include "cli/exit_codes.h"
#include "cli/prepared_run.h"
#include "cli/run_options.h"
#include "cli/side_files.h"
#include "cli/signals.h"
#include "cli/started_run.h"
#include "cli/version.h"
#include "image/image_file.h"
#include "report/event_stream.h"
#include "report/log.h"
#include "report/progress_lines.h"
#include "report/run_report.h"
#include "report/terminal.h"
#include "report/text_file.h"
#include "report/trace.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

namespace clconv {

namespace {

using Clock = std::chrono::steady_clock;
using Workers = std::vector<std::shared_ptr<ImageWorker>>;

/// The run's sinks, and what must be done with them at the end.
class Listeners {
public:
    explicit Listeners(const RunOptions& options) : options_(options)
    {
        const LogOptions log = log_options(options.log);
        std::shared_ptr<ProgressBar> bar;
        if (!options.dry_run && wants_bar(options, log)) bar = std::make_shared<ProgressBar>();
        fanout_.add(std::make_shared<Log>(log, bar));
        if (bar) fanout_.add(bar);
        if (options.dry_run) return;
        if (!options.report.empty()) fanout_.add(report_ = std::make_shared<RunReport>());
        if (!options.events.empty())
            fanout_.add(std::make_shared<EventStream>(options.events, [this](int reason) { lose_events(reason); }));
        if (!options.trace.empty())
            fanout_.add(std::make_shared<Trace>(options.trace, [this](int reason) { trace_lost_ = reason; }));
        if (options.progress == "text")
            fanout_.add(std::make_shared<ProgressLines>(
                [this](const std::string& text) { fanout_.message(Level::info, text); }));
    }

    Sink& sink() { return fanout_; }

    /// Tells the end and writes the report. Returns the exit code: the run's, or that of a report that fails.
    int finish(const RunResult& result)
    {
        fanout_.run_finished(result);
        if (const int reason = events_lost_; reason != 0 && reason != EPIPE)
            fanout_.message(Level::warning, fmt::format("--events {}: cannot be written: {}; events are missing",
                                                        options_.events, std::strerror(reason)));
        if (const int reason = trace_lost_; reason != 0)
            fanout_.message(Level::warning, fmt::format("--trace {}: cannot be written: {}; it is of no use",
                                                        options_.trace, std::strerror(reason)));
        if (!report_) return result.exit_code;
        try {
            write_text_file(options_.report, report_->text());
            return result.exit_code;
        } catch (const std::exception& error) {
            fanout_.message(Level::error, fmt::format("--report {}", error.what()));
            return result.exit_code == all_done ? exit_code_of(error) : result.exit_code;
        }
    }

private:
    static bool wants_bar(const RunOptions& options, const LogOptions& log)
    {
        if (options.progress != "auto") return options.progress == "bar";
        return standard_error().interactive && log.level && *log.level <= Level::info;
    }

    /// A reader of standard output who goes away ends the run as a signal does. Called while an event is passed on.
    void lose_events(int reason)
    {
        events_lost_ = reason;
        if (reason == EPIPE) StopSignals::request(SIGPIPE);
    }

    const RunOptions& options_;
    Fanout fanout_;
    std::shared_ptr<RunReport> report_;
    std::atomic<int> events_lost_ = 0;
    std::atomic<int> trace_lost_ = 0;
};

RunInfo run_info(const RunOptions& options, const PreparedRun& run, const std::vector<DeviceInfo>& devices)
{
    RunInfo info;
    info.version = kVersion;
    info.libraries = image_library();
    info.command = options.command;
    info.options = options.values;
    for (const DeviceInfo& device : devices)
        info.devices.push_back({device.index, device.platform, device.name, device.driver});
    info.jobs = options.jobs;
    info.shard = run.shard;
    for (const Item& item : run.items) info.items.push_back(item.info);
    return info;
}

/// Opens the devices and the manifest, makes the folders of outputs, and tells that the run has started.
Opened open_run(const RunOptions& options, const PreparedRun& run, StartedRun& started,
                std::optional<Manifest>& manifest, Sink& sink)
{
    const Clock::time_point start = Clock::now();
    std::vector<DeviceInfo> devices;
    if (!run.copies) devices = chosen_devices(options.problem.device, sink);
    for (const DeviceInfo& device : devices) check_supported(run.work.convolve.precision, device.traits);
    Opened opened = started.open(devices, program_cache(options.problem.no_cache, sink));
    make_folders(run.items);
    if (const std::size_t removed = remove_abandoned(run.items); removed > 0)
        sink.message(Level::info, fmt::format("removed {} unfinished file{} of runs that were killed", removed,
                                              removed == 1 ? "" : "s"));
    if (run.manifest) manifest.emplace(run.manifest->file);
    RunInfo info = run_info(options, run, devices);
    if (!run.copies) info.opening = Clock::now() - start;
    sink.run_started(info);
    return opened;
}

/// Reads, convolves and writes. Returns the exit code, signals apart. `workers`: those opened for it.
ExitCode work(const RunOptions& options, const PreparedRun& run, Sink& sink, Workers& workers)
{
    StartedRun started(run);
    Steps steps = started.steps(sink);
    std::optional<Manifest> manifest;
    if (run.manifest)
        steps = recorded_steps(steps, run.manifest->context,
                               [&](const ManifestRecord& record) { manifest->append(record, sink); });
    steps.open = [&] {
        Opened opened = open_run(options, run, started, manifest, sink);
        workers = opened.workers;
        return opened;
    };
    const Tally tally = run_pipeline(run.items, steps, {options.jobs, options.fail_fast, started.memory_ahead()},
                                     StopSignals::received(), sink);
    return tally.failed > 0 ? some_failed : all_done;
}

int execute(const RunOptions& options)
{
    check_side_files(options);
    std::optional<StopSignals> signals;
    if (!options.dry_run) signals.emplace();
    Listeners listeners(options);
    const Clock::time_point start = Clock::now();
    std::optional<PreparedRun> run;
    Workers workers;  // which refer to the run
    RunResult result;
    try {
        run = prepare_run(options, listeners.sink());
        if (options.dry_run)
            print_dry_run(*run, options, listeners.sink());
        else
            result.exit_code = work(options, *run, listeners.sink(), workers);
    } catch (const std::exception& error) {
        result.error = error.what();
        result.exit_code = exit_code_of(error);
    }
    result.wall = Clock::now() - start;
    result.signal = signals ? StopSignals::received().load() : 0;
    // What the run did wrong before it was interrupted is told by the report; the caller asked for the signal.
    if (result.signal != 0 && result.exit_code <= some_failed) result.exit_code = signal_base + result.signal;
    const int exit_code = listeners.finish(result);
    // Last, when everything is written and told; not for a run that was asked to stop.
    if (result.signal == 0)
        for (const std::shared_ptr<ImageWorker>& worker : workers) worker->keep_programs(kKeepingBudget);
    return exit_code;
}

}  // namespace

int run_command(const std::vector<std::string>& arguments)
{
    CLI::App app(run_about(), "clconv run");
    app.footer(run_examples());
    RunOptions options;
    add_run_options(app, options);
    if (!parse(app, arguments)) return all_done;
    options.command = {"clconv", "run"};
    options.command.insert(options.command.end(), arguments.begin(), arguments.end());
    options.values = values_of(app);
    return execute(options);
}

}  // namespace clconv
