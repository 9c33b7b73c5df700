// SPDX-License-Identifier: Apache-2.0
// Progress for logs: a line every ten seconds, `--progress text`.
#pragma once

#include "base/clock.h"
#include "report/events.h"
#include "report/tally.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace clconv {

/// Reports the progress of a run at equal intervals from its start, also while one image takes long.
class ProgressLines final : public Sink {
public:
    static constexpr std::chrono::seconds kInterval{10};

    /// `print` is called from this object's thread, without any of its mutexes held.
    explicit ProgressLines(std::function<void(const std::string&)> print, Clock::duration interval = kInterval);
    ~ProgressLines() override;

    void run_started(const RunInfo& run) override;
    void item_progressed(const ItemInfo& item, const ItemProgress& progress) override;
    void item_finished(const ItemInfo& item, const ItemResult& result) override;
    void run_finished(const RunResult& result) override;

private:
    void print_regularly(const std::stop_token& stop);

    std::function<void(const std::string&)> print_;
    const Clock::duration interval_;
    std::mutex mutex_;
    std::condition_variable_any stopped_;
    Tally tally_;
    Clock::time_point start_;
    std::jthread thread_;
};

}  // namespace clconv
