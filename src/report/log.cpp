// SPDX-License-Identifier: Apache-2.0
#include "report/log.h"

#include "base/counted.h"
#include "base/errors.h"
#include "base/printable.h"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <algorithm>
#include <csignal>

namespace clconv {

namespace {

spdlog::level::level_enum spdlog_level(std::optional<Level> level)
{
    if (!level) return spdlog::level::off;
    switch (*level) {
        case Level::trace: return spdlog::level::trace;
        case Level::debug: return spdlog::level::debug;
        case Level::info: return spdlog::level::info;
        case Level::warning: return spdlog::level::warn;
        case Level::error: return spdlog::level::err;
    }
    return spdlog::level::off;
}

/// Prints the level before each message, except before messages at level info.
class Prefix final : public spdlog::custom_flag_formatter {
public:
    void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& text) override
    {
        std::string_view prefix;
        switch (message.level) {
            case spdlog::level::err: prefix = "error: "; break;
            case spdlog::level::warn: prefix = "warning: "; break;
            case spdlog::level::debug: prefix = "debug: "; break;
            case spdlog::level::trace: prefix = "trace: "; break;
            default: break;
        }
        text.append(prefix.data(), prefix.data() + prefix.size());
    }
    [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<Prefix>(); }
};

spdlog::sink_ptr screen_sink(const LogOptions& options)
{
    const auto mode = options.color ? spdlog::color_mode::always : spdlog::color_mode::never;
    auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(mode);
    sink->set_color(spdlog::level::info, "");
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<Prefix>('*').set_pattern("%^%*%$%v");
    sink->set_formatter(std::move(formatter));
    sink->set_level(spdlog_level(options.level));
    return sink;
}

spdlog::sink_ptr file_sink(const LogOptions& options)
{
    try {
        auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(options.file->string());
        sink->set_pattern("%Y-%m-%d %H:%M:%S.%e %l: %v");
        sink->set_level(spdlog_level(std::min(options.level.value_or(Level::debug), Level::debug)));
        return sink;
    } catch (const spdlog::spdlog_ex& error) {
        throw InvalidProblem(fmt::format("--log-file {}: cannot be opened: {}", options.file->string(), error.what()));
    }
}

}  // namespace

Log::Log(const LogOptions& options, std::shared_ptr<ProgressBar> bar) : shown_(options.level), bar_(std::move(bar))
{
    logger_ = std::make_unique<spdlog::logger>("clconv");
    logger_->sinks().push_back(screen_sink(options));
    if (options.file) logger_->sinks().push_back(file_sink(options));
    logger_->set_level(spdlog::level::trace);
    logger_->flush_on(spdlog::level::trace);
    // A log that cannot be written (a full disk) must not end the run, and there is no place to report it.
    logger_->set_error_handler([](const std::string&) {});
}

Log::~Log() = default;

void Log::message(Level level, std::string_view text)
{
    if (bar_ && shown_ && level >= *shown_) bar_->hide();
    logger_->log(spdlog_level(level), printable(text));
}

void Log::run_started(const RunInfo& run)
{
    tally_.total = run.items.size();
    tally_.jobs = run.jobs;
    tally_.workers = std::max(1, static_cast<int>(run.devices.size()));
    tally_.opening = run.opening;
    started_ = Clock::now();
    running_ = true;
    message(Level::debug, fmt::format("clconv {}, {}", run.version, run.libraries));
    std::string where = run.devices.empty() ? " without a device" : "";
    for (const RunDevice& device : run.devices)
        where += fmt::format("{} {} {} ({}, driver {})", where.empty() ? " on" : ",", device.index, device.name,
                             device.platform, device.driver);
    message(Level::info, fmt::format("{} to make{}", counted(run.items.size() - run.skipped, "image"), where));
}

void Log::item_started(const ItemInfo& item)
{
    message(Level::trace, fmt::format("{}: started ({})", item.input.string(), item.psf));
}

void Log::print_plan(const std::string& plan)
{
    if (plan.empty() || !known_plans_.insert(plan).second) return;
    const std::string_view text = plan;
    message(Level::debug, text.substr(0, text.find_last_not_of('\n') + 1));
}

void Log::item_finished(const ItemInfo& item, const ItemResult& result)
{
    add(tally_, result);
    print_plan(result.plan);
    for (const Warning& warning : result.warnings) warn(item, warning);
    switch (result.status) {
        case ItemStatus::failed:
            last_error_ = result.error;
            message(Level::error, result.error);
            break;
        case ItemStatus::skipped:
            message(Level::debug, fmt::format("{}: skipped, {} exists", item.input.string(), item.output.string()));
            break;
        case ItemStatus::done:
            message(Level::debug, fmt::format("{} -> {}", item.input.string(), item.output.string()));
            for (const StageTime& entry : result.times)
                message(Level::trace, fmt::format("  {:<24} {:9.3f} ms", entry.stage, 1e3 * entry.time.count()));
            break;
        case ItemStatus::not_started: break;
    }
}

void Log::warn(const ItemInfo& item, const Warning& warning)
{
    if (warning.kind == WarningKind::other) return message(Level::warning, warning.message);
    WarningCount& known = warnings_[warning.kind];
    if (known.count++ == 0 || item.index < known.item) {
        known.item = item.index;
        known.first = warning.message;
    }
    message(Level::debug, "warning: " + warning.message);
}

void Log::print_warnings()
{
    for (const auto& [kind, known] : warnings_) {
        std::string others;
        if (known.count > 1)
            others = fmt::format(" ({} more warning{} of kind {}: -v and --report list all)", known.count - 1,
                                 known.count == 2 ? "" : "s", name_of(kind));
        message(Level::warning, known.first + others);
    }
    warnings_.clear();
}

void Log::run_finished(const RunResult& result)
{
    print_warnings();
    // The error that ended the run has often failed an item before, and is then printed already.
    if (!result.error.empty() && result.error != last_error_) message(Level::error, result.error);
    if (result.signal != 0 && result.signal != SIGPIPE)
        message(Level::warning, "interrupted: images in flight have been finished");
    if (!running_) return;
    tally_.preparing = std::max(Seconds{0}, result.wall - Seconds(Clock::now() - started_) - tally_.opening);
    message(Level::info, summary(tally_, result.wall));
    if (!tally_.stages.empty()) message(Level::debug, stage_table(tally_, result.wall));
}

}  // namespace clconv
