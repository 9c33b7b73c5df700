// SPDX-License-Identifier: Apache-2.0
#include "report/event_frames.h"

#include "base/message.h"

#include <cstdint>

namespace clconv {

namespace {

enum class Kind : std::uint8_t { message, started, item_started, item_progressed, item_finished, ended };

using Length = std::uint64_t;

std::string frame(const MessageWriter& content)
{
    MessageWriter whole;
    whole.put(Length{content.bytes().size()});
    return whole.bytes() + content.bytes();
}

void take_frame(MessageReader reader, EventReceiver& receiver)
{
    switch (reader.take<Kind>()) {
        case Kind::message: {
            const auto level = reader.take<Level>();
            return receiver.message(level, reader.take_text());
        }
        case Kind::started: {
            const auto opening = reader.take<Seconds>();
            return receiver.started(reader.take<std::vector<RunDevice>>(), opening);
        }
        case Kind::item_started: return receiver.item_started(reader.take<std::size_t>());
        case Kind::item_progressed: {
            const auto index = reader.take<std::size_t>();
            return receiver.item_progressed(index, reader.take<ItemProgress>());
        }
        case Kind::item_finished: {
            const auto index = reader.take<std::size_t>();
            // Times are of the machine's steady clock, which is the same in all processes.
            return receiver.item_finished(index, reader.take<ItemResult>());
        }
        case Kind::ended: return receiver.ended(reader.take<WorkEnd>());
    }
}

MessageWriter begun(Kind kind)
{
    MessageWriter writer;
    writer.put(kind);
    return writer;
}

}  // namespace

void EventSender::message(Level level, std::string_view text)
{
    MessageWriter writer = begun(Kind::message);
    writer.put(level);
    writer.put(text);
    const std::lock_guard lock(mutex_);
    send_(frame(writer));
}

void EventSender::run_started(const RunInfo& run)
{
    MessageWriter writer = begun(Kind::started);
    writer.put(run.opening);
    writer.put(run.devices);
    const std::lock_guard lock(mutex_);
    send_(frame(writer));
}

void EventSender::item_started(const ItemInfo& item)
{
    MessageWriter writer = begun(Kind::item_started);
    writer.put(item.index);
    const std::lock_guard lock(mutex_);
    send_(frame(writer));
}

void EventSender::item_progressed(const ItemInfo& item, const ItemProgress& progress)
{
    MessageWriter writer = begun(Kind::item_progressed);
    writer.put(item.index);
    writer.put(progress);
    const std::lock_guard lock(mutex_);
    send_(frame(writer));
}

void EventSender::item_finished(const ItemInfo& item, const ItemResult& result)
{
    MessageWriter writer = begun(Kind::item_finished);
    writer.put(item.index);
    writer.put(result);
    const std::lock_guard lock(mutex_);
    send_(frame(writer));
}

void EventSender::end(const WorkEnd& end)
{
    MessageWriter writer = begun(Kind::ended);
    writer.put(end);
    const std::lock_guard lock(mutex_);
    send_(frame(writer));
}

void receive(std::string& bytes, EventReceiver& receiver)
{
    std::size_t done = 0;
    while (bytes.size() - done >= sizeof(Length)) {
        const std::string_view rest = std::string_view(bytes).substr(done);
        const auto length = static_cast<std::size_t>(MessageReader(rest).take<Length>());
        if (rest.size() - sizeof(Length) < length) break;
        take_frame(MessageReader(rest.substr(sizeof(Length), length)), receiver);
        done += sizeof(Length) + length;
    }
    bytes.erase(0, done);
}

}  // namespace clconv
