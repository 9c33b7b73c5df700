#include "report/event_frames.h"

#include "base/clock.h"
#include "base/message.h"

#include <cstdint>

namespace clconv {

namespace {

enum class Kind : std::uint8_t { message, started, item_started, item_finished, ended };

using Length = std::uint64_t;

std::string frame(const MessageWriter& content)
{
    MessageWriter whole;
    whole.put(Length{content.bytes().size()});
    return whole.bytes() + content.bytes();
}

void put(MessageWriter& writer, const ItemResult& result)
{
    writer.put(result.status);
    writer.put(result.error);
    writer.put(result.warnings.size());
    for (const std::string& warning : result.warnings) writer.put(warning);
    writer.put(result.copied_channels.size());
    for (const std::string& channel : result.copied_channels) writer.put(channel);
    writer.put(result.image.has_value());
    writer.put(result.image.value_or(ImageFacts{}));
    writer.put(result.pixels);
    writer.put(result.parts);
    writer.put(result.overflowed);
    writer.put(result.output_type.has_value());
    writer.put(result.output_type.value_or(FileType::float32));
    writer.put(result.transfer);
    writer.put(result.output_transfer);
    writer.put(result.plan);
    writer.put(result.plan_origin);
    writer.put(result.plan_check);
    writer.put(result.copy_of.string());
    writer.put(result.device.has_value());
    writer.put(result.device.value_or(0));
    writer.put(result.times.size());
    for (const StageTime& time : result.times) {
        writer.put(time.stage);
        writer.put(time.time.count());
    }
    writer.put(result.spans.size());
    for (const Span& span : result.spans) {
        writer.put(span.track);
        writer.put(span.name);
        writer.put(span.start.time_since_epoch().count());
        writer.put(span.end.time_since_epoch().count());
        writer.put(span.program);
    }
}

ItemResult take_result(MessageReader& reader)
{
    ItemResult result;
    result.status = reader.take<ItemStatus>();
    result.error = reader.take_text();
    for (auto count = reader.take<std::size_t>(); count > 0; --count) result.warnings.push_back(reader.take_text());
    for (auto count = reader.take<std::size_t>(); count > 0; --count)
        result.copied_channels.push_back(reader.take_text());
    const bool has_image = reader.take<bool>();
    const auto image = reader.take<ImageFacts>();
    if (has_image) result.image = image;
    result.pixels = reader.take<std::uint64_t>();
    result.parts = reader.take<std::size_t>();
    result.overflowed = reader.take<std::size_t>();
    const bool has_type = reader.take<bool>();
    const auto type = reader.take<FileType>();
    if (has_type) result.output_type = type;
    result.transfer = reader.take_text();
    result.output_transfer = reader.take_text();
    result.plan = reader.take_text();
    result.plan_origin = reader.take_text();
    result.plan_check = reader.take_text();
    result.copy_of = reader.take_text();
    const bool has_device = reader.take<bool>();
    const auto device = reader.take<std::size_t>();
    if (has_device) result.device = device;
    for (auto count = reader.take<std::size_t>(); count > 0; --count) {
        StageTime time{reader.take_text()};
        time.time = Seconds(reader.take<double>());
        result.times.push_back(std::move(time));
    }
    // The steady clock is the machine's, the same in all processes.
    const auto take_time = [&] { return Clock::time_point(Clock::duration(reader.take<Clock::rep>())); };
    for (auto count = reader.take<std::size_t>(); count > 0; --count) {
        Span span;
        span.track = reader.take_text();
        span.name = reader.take_text();
        span.start = take_time();
        span.end = take_time();
        span.program = reader.take_text();
        result.spans.push_back(std::move(span));
    }
    return result;
}

void take_started(MessageReader& reader, EventReceiver& receiver)
{
    const Seconds opening(reader.take<double>());
    std::vector<RunDevice> devices;
    for (auto count = reader.take<std::size_t>(); count > 0; --count)
        devices.push_back({reader.take_text(), reader.take_text(), reader.take_text(), reader.take_text()});
    receiver.started(devices, opening);
}

void take_frame(MessageReader reader, EventReceiver& receiver)
{
    switch (reader.take<Kind>()) {
        case Kind::message: {
            const auto level = reader.take<Level>();
            return receiver.message(level, reader.take_text());
        }
        case Kind::started: return take_started(reader, receiver);
        case Kind::item_started: return receiver.item_started(reader.take<std::size_t>());
        case Kind::item_finished: {
            const auto index = reader.take<std::size_t>();
            return receiver.item_finished(index, take_result(reader));
        }
        case Kind::ended: {
            const int exit_code = reader.take<int>();
            return receiver.ended({exit_code, reader.take_text()});
        }
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
    writer.put(run.opening.count());
    writer.put(run.devices.size());
    for (const RunDevice& device : run.devices)
        for (const std::string& text : {device.index, device.platform, device.name, device.driver}) writer.put(text);
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

void EventSender::item_finished(const ItemInfo& item, const ItemResult& result)
{
    MessageWriter writer = begun(Kind::item_finished);
    writer.put(item.index);
    put(writer, result);
    const std::lock_guard lock(mutex_);
    send_(frame(writer));
}

void EventSender::end(const WorkEnd& end)
{
    MessageWriter writer = begun(Kind::ended);
    writer.put(end.exit_code);
    writer.put(end.error);
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
