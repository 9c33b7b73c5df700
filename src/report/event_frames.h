// SPDX-License-Identifier: Apache-2.0
// Events of a run, sent to another process of clconv through a pipe.
#pragma once

#include "report/events.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace clconv {

/// The end of a process's work.
struct WorkEnd {
    int exit_code = 0;
    std::string error;  ///< that ended the work; empty if it finished
};
CLCONV_FIELDS(WorkEnd, exit_code, error)

/// Sends all events. Items are sent as indices, because the other side has the list.
class EventSender final : public Sink {
public:
    /// `send` is called with whole frames, one call at a time.
    explicit EventSender(std::function<void(const std::string& frame)> send) : send_(std::move(send)) {}

    void message(Level level, std::string_view text) override;
    void run_started(const RunInfo& run) override;
    void item_started(const ItemInfo& item) override;
    void item_progressed(const ItemInfo& item, const ItemProgress& progress) override;
    void item_finished(const ItemInfo& item, const ItemResult& result) override;

    /// The last frame.
    void end(const WorkEnd& end);

private:
    std::function<void(const std::string&)> send_;
    std::mutex mutex_;
};

/// Receives the events of frames.
class EventReceiver {
public:
    EventReceiver() = default;
    EventReceiver(const EventReceiver&) = delete;
    EventReceiver& operator=(const EventReceiver&) = delete;
    virtual ~EventReceiver() = default;

    virtual void message(Level level, const std::string& text) = 0;
    virtual void started(const std::vector<RunDevice>& devices, Seconds opening) = 0;
    virtual void item_started(std::size_t index) = 0;
    virtual void item_progressed(std::size_t index, const ItemProgress& progress) = 0;
    virtual void item_finished(std::size_t index, ItemResult result) = 0;
    virtual void ended(const WorkEnd& end) = 0;
};

/// Removes all whole frames from the front of `bytes`.
void receive(std::string& bytes, EventReceiver& receiver);

}  // namespace clconv
