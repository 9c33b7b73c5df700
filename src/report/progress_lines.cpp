// SPDX-License-Identifier: Apache-2.0
#include "report/progress_lines.h"

#include "report/progress.h"

namespace clconv {

ProgressLines::ProgressLines(std::function<void(const std::string&)> print, Clock::duration interval)
    : print_(std::move(print)), interval_(interval)
{
}

// Ends the thread before the members that it uses.
ProgressLines::~ProgressLines() { thread_ = {}; }

void ProgressLines::run_started(const RunInfo& run)
{
    tally_.total = run.items.size();
    start_ = Clock::now();
    thread_ = std::jthread([this](const std::stop_token& stop) { print_regularly(stop); });
}

void ProgressLines::item_progressed(const ItemInfo& item, const ItemProgress& progress)
{
    const std::lock_guard lock(mutex_);
    note(tally_, item, progress);
}

void ProgressLines::item_finished(const ItemInfo& item, const ItemResult& result)
{
    const std::lock_guard lock(mutex_);
    add(tally_, item, result);
}

void ProgressLines::run_finished(const RunResult& /*result*/)
{
    // Do not join here: the thread may be waiting to print, for the caller of this function.
    thread_.request_stop();
}

void ProgressLines::print_regularly(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    for (Clock::time_point next = start_ + interval_;; next += interval_) {
        stopped_.wait_until(lock, stop, next, [] { return false; });
        if (stop.stop_requested()) return;
        const std::string text = progress_text(tally_, Clock::now() - start_);
        lock.unlock();
        print_(text);
        lock.lock();
    }
}

}  // namespace clconv
