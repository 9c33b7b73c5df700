// SPDX-License-Identifier: Apache-2.0
// Runs: batches of images are convolved.
#include "base/clock.h"
#include "base/printable.h"
#include "base/stoppable.h"
#include "batch/attempt_run.h"
#include "batch/memory_limits.h"
#include "batch/supervisor.h"
#include "cli/exit_codes.h"
#include "cli/version.h"
#include "codecs/image_file.h"
#include "image_commands/commands.h"
#include "image_commands/dry_run.h"
#include "image_commands/page_gallery.h"
#include "image_commands/prepare_run.h"
#include "image_commands/side_files.h"
#include "image_commands/signals.h"
#include "image_commands/standard_streams.h"
#include "image_options/run_options.h"
#include "report/event_stream.h"
#include "report/log.h"
#include "report/progress_lines.h"
#include "report/run_page.h"
#include "report/run_report.h"
#include "report/terminal.h"
#include "report/text_file.h"
#include "report/trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <utility>

namespace clconv {

namespace {

/// The page of a run. Streams have no files to show, and a run that was stopped ends without pictures.
std::string page_of_run(const RunReport& report, const RunOptions& options, bool was_stopped)
{
    const bool is_stream = options.output == "-" || std::ranges::count(options.inputs, "-") > 0;
    const std::size_t maximum = is_stream || was_stopped ? 0 : options.max_pictured;
    nlohmann::ordered_json json = report.json();
    const PageGallery gallery = gallery_of(pictured_files(json), maximum);
    return report_page(std::move(json), gallery);
}

/// Bytes beyond the run's limit that its process may use while codecs work: for libraries, drivers and compilers, and
/// for memory of codecs besides the counted images.
constexpr std::uint64_t kCodecAllowance = std::uint64_t{1} << 30U;

/// Whether messages of this level go to standard error.
bool tells(const LogOptions& log, Level level) { return log.level && *log.level <= level; }

/// The run's sinks, and their work at the end.
class Listeners {
public:
    /// Waits for readers of FIFOs until `stop` is not 0; then throws InputError.
    Listeners(const RunOptions& options, const std::atomic<int>& stop) : options_(options), stop_(stop)
    {
        const LogOptions log = log_options(options.log);
        const FifoReader reader_of_log(options.log.file, stop);
        std::shared_ptr<ProgressBar> bar;
        if (!options.dry_run && wants_bar(options, log)) bar = std::make_shared<ProgressBar>();
        fanout_.add(std::make_shared<Log>(log, bar));
        if (bar) fanout_.add(bar);
        if (options.dry_run) return;
        const FifoReader reader_of_events(options.events, stop);
        const FifoReader reader_of_trace(options.trace, stop);
        if (!options.report.empty() || !options.html.empty()) fanout_.add(report_ = std::make_shared<RunReport>());
        if (!options.events.empty())
            fanout_.add(std::make_shared<EventStream>(options.events, [this](int reason) { lose_events(reason); }));
        if (!options.trace.empty())
            fanout_.add(std::make_shared<Trace>(options.trace, [this](int reason) { trace_lost_ = reason; }));
        if (options.progress == ProgressChoice::text)
            fanout_.add(std::make_shared<ProgressLines>(
                [this](const std::string& text) { fanout_.message(Level::info, text); }));
    }

    Sink& sink() { return fanout_; }

    /// Reports the end, and writes the report and its page. Returns the exit code: the run's, or that of a failed
    /// report, or of a signal that came while nobody read the report.
    int finish(const RunResult& result)
    {
        fanout_.run_finished(result);
        if (const int reason = events_lost_; reason != 0 && reason != EPIPE)
            fanout_.message(Level::warning, fmt::format("--events {}: cannot be written: {}; events are missing",
                                                        options_.events, std::strerror(reason)));
        if (const int reason = trace_lost_; reason != 0)
            fanout_.message(Level::warning, fmt::format("--trace {}: cannot be written: {}; the trace is incomplete",
                                                        options_.trace, std::strerror(reason)));
        int exit_code = result.exit_code;
        if (!report_) return exit_code;
        const auto keep = [&](int code) { exit_code = exit_code == all_done ? code : exit_code; };
        keep(write("--report", options_.report, [&] { return report_->text(); }));
        keep(write("--html", options_.html, [&] { return page_of_run(*report_, options_, stop_ != 0); }));
        return exit_code;
    }

private:
    static bool wants_bar(const RunOptions& options, const LogOptions& log)
    {
        if (options.progress != ProgressChoice::automatic) return options.progress == ProgressChoice::bar;
        return standard_error().interactive && tells(log, Level::info);
    }

    /// Writes a file that an option names, if it does. Returns an exit code.
    int write(const char* option, const std::string& file, const std::function<std::string()>& text)
    {
        if (file.empty()) return all_done;
        try {
            const FifoReader reader(file, stop_);
            write_text_file(file, text());
            return all_done;
        } catch (const std::exception& error) {
            fanout_.message(Level::error, fmt::format("{} {}", option, error.what()));
            return stop_ != 0 ? signal_base + stop_ : exit_code_of(error);
        }
    }

    /// If the reader of standard output goes away, the run ends as after a signal. Called while an event is passed on.
    void lose_events(int reason)
    {
        events_lost_ = reason;
        if (reason == EPIPE) StopSignals::request(SIGPIPE);
    }

    const RunOptions& options_;
    const std::atomic<int>& stop_;
    Fanout fanout_;
    std::shared_ptr<RunReport> report_;
    std::atomic<int> events_lost_ = 0;
    std::atomic<int> trace_lost_ = 0;
};

RunInfo run_info(const RunOptions& options, const PreparedRun& run, Clock::time_point start)
{
    RunInfo info;
    info.start = start;
    info.version = kVersion;
    info.libraries = image_library();
    info.command = options.command;
    info.options = options.values;
    info.jobs = options.jobs;
    info.shard = run.shard;
    for (const Item& item : run.items) info.items.push_back(item.info);
    info.skipped = static_cast<std::size_t>(std::ranges::count(run.items, true, &Item::skip));
    return info;
}

/// The limits of the run while codecs work.
SupervisorOptions supervisor_options(const RunOptions& options, const PreparedRun& run)
{
    const std::uint64_t limit = run.memory_limit.value_or(available_memory() / 2);
    return {Seconds(options.timeout), std::min(limit, kNoLimit - kCodecAllowance) + kCodecAllowance, options.fail_fast};
}

/// Every reader, writer and device works on one file; a device that streams works on two.
std::size_t max_codecs(const RunOptions& options) { return 2 * static_cast<std::size_t>(options.jobs) + 64; }

/// Makes the run's items in a process that may crash, and puts the outcome into `result`.
void supervise(Supervisor& supervisor, RunResult& result)
{
    const SupervisedEnd end = supervisor.run();
    result.error = end.fatal.error;
    if (end.failed > 0) result.exit_code = some_failed;
    if (end.fatal.exit_code != 0) result.exit_code = end.fatal.exit_code;
    if (end.is_internal) result.exit_code = internal_error;
}

/// Makes the run and reports it. Returns the exit code.
int execute_reporting_to(Listeners& listeners, const RunOptions& given, CodecBoard& board)
{
    StandardStreams streams(given, listeners.sink());
    RunOptions options;
    Relay sink(streams);  // the working process has its own
    const Clock::time_point start = Clock::now();
    std::optional<PreparedRun> run;
    std::optional<Supervisor> supervisor;
    RunResult result;
    try {
        options = streams.received(board.stop());
        run = prepare_run(options, board.stop(), sink);
        if (options.dry_run) {
            print_dry_run(
                *run, [&](const std::string& text) { return streams.shown(text); }, sink);
        } else {
            const auto work = [&](const Attempt& attempt, CodecBoard& codecs, Sink& receiver) {
                sink.pass_to(receiver);
                return attempt_run(*run, attempt, codecs, receiver, exit_code_of);
            };
            supervisor.emplace(SupervisedRun{run_info(options, *run, start), run->items, board, streams},
                               supervisor_options(options, *run), work);
            supervise(*supervisor, result);
            if (streams.has_lost_output() && result.exit_code == all_done) result.exit_code = some_failed;
        }
    } catch (const std::exception& error) {
        result.error = streams.shown(error.what());
        result.exit_code = exit_code_of(error);
    }
    result.wall = Clock::now() - start;
    result.signal = board.stop();
    // The report lists what failed before the interruption. The exit code names the signal.
    if (result.signal != 0 && result.exit_code <= some_failed) result.exit_code = signal_base + result.signal;
    const int exit_code = listeners.finish(result);
    // Last, after all reports: the process may still keep programs for the next run.
    if (supervisor) supervisor->wait();
    return exit_code;
}

}  // namespace

int execute(const RunOptions& given)
{
    check_side_files(given);
    CodecBoard board(max_codecs(given));
    std::optional<StopSignals> signals;
    if (!given.dry_run) signals.emplace(board.stop(), tells(log_options(given.log), Level::info));
    std::optional<Listeners> listeners;
    try {
        listeners.emplace(given, board.stop());
    } catch (const InputError& error) {
        if (board.stop() == 0) throw;
        fmt::print(stderr, "error: {}\n", printable(error.what()));
        return signal_base + board.stop();
    }
    return execute_reporting_to(*listeners, given, board);
}

}  // namespace clconv
