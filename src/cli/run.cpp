// clconv run: convolve a batch of images.
#include "batch/output_checks.h"
#include "batch/pipeline.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/device_choice.h"
#include "cli/dry_run.h"
#include "cli/exit_codes.h"
#include "cli/prepared_run.h"
#include "cli/run_options.h"
#include "cli/side_files.h"
#include "cli/signals.h"
#include "cli/version.h"
#include "image/image_file.h"
#include "report/event_stream.h"
#include "report/log.h"
#include "report/run_report.h"
#include "report/terminal.h"
#include "report/text_file.h"

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

/// The run's sinks, and what must be done with them at the end.
class Listeners {
public:
    explicit Listeners(const RunOptions& options) : options_(options)
    {
        const LogOptions log = log_options(options.log);
        std::shared_ptr<ProgressBar> bar;
        if (!options.dry_run && standard_error().interactive && log.level && *log.level <= Level::info)
            bar = std::make_shared<ProgressBar>();
        fanout_.add(std::make_shared<Log>(log, bar));
        if (bar) fanout_.add(bar);
        if (options.dry_run) return;
        if (!options.report.empty()) fanout_.add(report_ = std::make_shared<RunReport>());
        if (!options.events.empty())
            fanout_.add(std::make_shared<EventStream>(options.events, [this](int reason) { lose_events(reason); }));
    }

    Sink& sink() { return fanout_; }

    /// Tells the end and writes the report. Returns the exit code: the run's, or that of a report that fails.
    int finish(const RunResult& result)
    {
        fanout_.run_finished(result);
        if (const int reason = events_lost_; reason != 0 && reason != EPIPE)
            fanout_.message(Level::warning, fmt::format("--events {}: cannot be written: {}; events are missing",
                                                        options_.events, std::strerror(reason)));
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
};

RunInfo run_info(const RunOptions& options, const PreparedRun& run, const DeviceInfo& device)
{
    RunInfo info;
    info.version = kVersion;
    info.libraries = image_library();
    info.command = options.command;
    info.options = options.values;
    info.device = {device.index, device.platform, device.name, device.driver};
    for (const Item& item : run.items) info.items.push_back(item.info);
    return info;
}

/// Opens the device and works. Returns the exit code, signals apart.
ExitCode work(const RunOptions& options, const PreparedRun& run, Sink& sink)
{
    const DeviceInfo info = chosen_device(options.problem.device, sink);
    Convolver convolver(std::make_shared<Device>(info), run.kernels, run.convolve);
    make_folders(run.items);
    sink.run_started(run_info(options, run, info));
    const Steps steps = image_steps(convolver, run.psfs, run.files, sink);
    const Tally tally =
        run_pipeline(run.items, steps, {options.jobs, options.fail_fast}, StopSignals::received(), sink);
    return tally.failed > 0 ? some_failed : all_done;
}

ExitCode prepare_and_work(const RunOptions& options, Sink& sink)
{
    const PreparedRun run = prepare_run(options, sink);
    if (!options.dry_run) return work(options, run, sink);
    print_dry_run(run, options, sink);
    return all_done;
}

int execute(const RunOptions& options)
{
    check_side_files(options);
    std::optional<StopSignals> signals;
    if (!options.dry_run) signals.emplace();
    Listeners listeners(options);
    const Clock::time_point start = Clock::now();
    RunResult result;
    try {
        result.exit_code = prepare_and_work(options, listeners.sink());
    } catch (const std::exception& error) {
        result.error = error.what();
        result.exit_code = exit_code_of(error);
    }
    result.wall = Clock::now() - start;
    result.signal = signals ? StopSignals::received().load() : 0;
    // What the run did wrong before it was interrupted is told by the report; the caller asked for the signal.
    if (result.signal != 0 && result.exit_code <= some_failed) result.exit_code = signal_base + result.signal;
    return listeners.finish(result);
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
