// SPDX-License-Identifier: Apache-2.0
#include "report/events.h"

namespace clconv {

void Fanout::add(std::shared_ptr<Sink> sink)
{
    const std::lock_guard lock(mutex_);
    sinks_.push_back(std::move(sink));
}

void Fanout::message(Level level, std::string_view text)
{
    const std::lock_guard lock(mutex_);
    for (const auto& sink : sinks_) sink->message(level, text);
}

void Fanout::run_started(const RunInfo& run)
{
    const std::lock_guard lock(mutex_);
    for (const auto& sink : sinks_) sink->run_started(run);
}

void Fanout::item_started(const ItemInfo& item)
{
    const std::lock_guard lock(mutex_);
    for (const auto& sink : sinks_) sink->item_started(item);
}

void Fanout::item_progressed(const ItemInfo& item, const ItemProgress& progress)
{
    const std::lock_guard lock(mutex_);
    for (const auto& sink : sinks_) sink->item_progressed(item, progress);
}

void Fanout::item_finished(const ItemInfo& item, const ItemResult& result)
{
    const std::lock_guard lock(mutex_);
    for (const auto& sink : sinks_) sink->item_finished(item, result);
}

void Fanout::run_finished(const RunResult& result)
{
    const std::lock_guard lock(mutex_);
    for (const auto& sink : sinks_) sink->run_finished(result);
}

}  // namespace clconv
