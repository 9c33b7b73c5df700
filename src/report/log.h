// SPDX-License-Identifier: Apache-2.0
// The log: events as lines for people, on standard error and, on request, in a file.
#pragma once

#include "base/clock.h"
#include "report/events.h"
#include "report/progress.h"
#include "report/tally.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace spdlog {
class logger;
}

namespace clconv {

struct LogOptions {
    std::optional<Level> level = Level::info;  ///< the lowest level on standard error; none: nothing is shown
    bool color = false;                        ///< on standard error
    std::optional<std::filesystem::path>
        file;  ///< appended to; has everything from debug on, or from `level` if that is lower
};

class Log final : public Sink {
public:
    /// Hides `bar`, if there is one, before it prints. Throws InvalidProblem if the file cannot be opened.
    Log(const LogOptions& options, std::shared_ptr<ProgressBar> bar);
    ~Log() override;

    void message(Level level, std::string_view text) override;
    void run_started(const RunInfo& run) override;
    void item_started(const ItemInfo& item) override;
    void item_finished(const ItemInfo& item, const ItemResult& result) override;
    void run_finished(const RunResult& result) override;

private:
    /// Warnings of one kind.
    struct WarningCount {
        std::size_t count = 0;
        std::size_t item = 0;  ///< the first in the list that has one
        std::string first;     ///< its warning
    };

    void print_plan(const std::string& plan);
    /// Counts the warning. Warnings of one kind become one line at the end of the run; those of no kind are shown now.
    void warn(const ItemInfo& item, const Warning& warning);
    void print_warnings();

    std::unique_ptr<spdlog::logger> logger_;
    std::optional<Level> shown_;
    std::shared_ptr<ProgressBar> bar_;
    std::set<std::string> known_plans_;
    std::map<WarningKind, WarningCount> warnings_;
    Tally tally_;
    Clock::time_point started_;  ///< when the devices were open
    std::string last_error_;
    bool running_ = false;
};

}  // namespace clconv
