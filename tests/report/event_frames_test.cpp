// SPDX-License-Identifier: Apache-2.0
#include "report/event_frames.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace clconv {
namespace {

/// Remembers what arrives.
class Received final : public EventReceiver {
public:
    void message(Level level, const std::string& text) override { messages.emplace_back(level, text); }
    void started(const std::vector<RunDevice>& run_devices, Seconds time) override
    {
        devices = run_devices;
        opening = time;
    }
    void item_started(std::size_t index) override { begun.push_back(index); }
    void item_progressed(std::size_t index, const ItemProgress& progress) override
    {
        progresses.emplace_back(index, progress);
    }
    void item_finished(std::size_t index, ItemResult result) override
    {
        results.emplace_back(index, std::move(result));
    }
    void ended(const WorkEnd& work_end) override { end = work_end; }

    std::vector<std::pair<Level, std::string>> messages;
    std::vector<RunDevice> devices;
    Seconds opening{0};
    std::vector<std::size_t> begun;
    std::vector<std::pair<std::size_t, ItemProgress>> progresses;
    std::vector<std::pair<std::size_t, ItemResult>> results;
    WorkEnd end;
};

/// A result of which every field differs from its default and from the others of its type.
ItemResult full_result()
{
    const Clock::time_point now = Clock::now();
    ItemResult result;
    result.status = ItemStatus::failed;
    result.error = "error";
    result.warnings = {Warning("warning 1"), Warning(WarningKind::type, "warning 2", "from", "to")};
    result.copied_channels = {"Z"};
    result.image = ImageFacts{{5, 6}, 7, FileType::u16, true};
    result.pixels = 8;
    result.parts = 9;
    result.overflowed = 10;
    result.output_type = FileType::half;
    result.transfer = "transfer";
    result.output_transfer = "output transfer";
    result.plan = "plan";
    result.plan_origin = "origin";
    result.plan_check = "check";
    result.copy_of = "copy";
    result.device = 11;
    result.times = {{"stage", Seconds(1.5)}};
    result.spans = {{"track", "name", now, now + std::chrono::seconds(2), "program"}};
    result.finished = Seconds(2.5);
    return result;
}

template <class Fields>
std::vector<const void*> places(const Fields& fields)
{
    return std::apply([](const auto&... members) { return std::vector<const void*>{&members...}; }, fields);
}

TEST(EventFrames, AnItemsResultArrivesWithAllOfItsFields)
{
    std::string bytes;
    EventSender sender([&](const std::string& frame) { bytes += frame; });
    const ItemResult sent = full_result();
    ItemInfo item;
    item.index = 3;
    sender.item_finished(item, sent);
    Received received;
    receive(bytes, received);
    ASSERT_EQ(received.results.size(), 1);
    EXPECT_EQ(received.results[0].first, 3);
    const ItemResult& result = received.results[0].second;
    EXPECT_EQ(result.status, sent.status);
    EXPECT_EQ(result.error, sent.error);
    EXPECT_EQ(result.warnings, sent.warnings);
    EXPECT_EQ(result.copied_channels, sent.copied_channels);
    ASSERT_TRUE(result.image);
    EXPECT_EQ(result.image->extent, sent.image->extent);
    EXPECT_EQ(result.image->channels, 7);
    EXPECT_EQ(result.image->type, FileType::u16);
    EXPECT_TRUE(result.image->says_linear);
    EXPECT_EQ(result.pixels, 8);
    EXPECT_EQ(result.parts, 9);
    EXPECT_EQ(result.overflowed, 10);
    EXPECT_EQ(result.output_type, FileType::half);
    EXPECT_EQ(result.transfer, "transfer");
    EXPECT_EQ(result.output_transfer, "output transfer");
    EXPECT_EQ(result.plan, "plan");
    EXPECT_EQ(result.plan_origin, "origin");
    EXPECT_EQ(result.plan_check, "check");
    EXPECT_EQ(result.copy_of, "copy");
    EXPECT_EQ(result.device, 11);
    ASSERT_EQ(result.times.size(), 1);
    EXPECT_EQ(result.times[0].stage, "stage");
    EXPECT_EQ(result.times[0].time, Seconds(1.5));
    ASSERT_EQ(result.spans.size(), 1);
    EXPECT_EQ(result.spans[0].track, "track");
    EXPECT_EQ(result.spans[0].name, "name");
    EXPECT_EQ(result.spans[0].start, sent.spans[0].start);
    EXPECT_EQ(result.spans[0].end, sent.spans[0].end);
    EXPECT_EQ(result.spans[0].program, "program");
    EXPECT_EQ(result.finished, Seconds(2.5));
}

TEST(EventFrames, OtherEventsArriveInOrder)
{
    std::string bytes;
    EventSender sender([&](const std::string& frame) { bytes += frame; });
    RunInfo run;
    run.devices = {{"0:0", "platform", "name", "driver"}, {"1:0", "other", "name 2", "driver 2"}};
    run.opening = Seconds(0.25);
    sender.run_started(run);
    ItemInfo item;
    item.index = 4;
    sender.item_started(item);
    sender.item_progressed(item, {7, 20});
    sender.message(Level::warning, "text");
    sender.end({6, "end"});
    Received received;
    std::string rest = bytes.substr(bytes.size() - 5);
    std::string first = bytes.substr(0, bytes.size() - 5);
    receive(first, received);
    EXPECT_EQ(received.end.exit_code, 0);  // its frame is not complete
    first += rest;
    receive(first, received);
    EXPECT_TRUE(first.empty());
    ASSERT_EQ(received.devices.size(), 2);
    EXPECT_EQ(received.devices[1].index, "1:0");
    EXPECT_EQ(received.devices[1].platform, "other");
    EXPECT_EQ(received.devices[1].name, "name 2");
    EXPECT_EQ(received.devices[1].driver, "driver 2");
    EXPECT_EQ(received.opening, Seconds(0.25));
    EXPECT_EQ(received.begun, std::vector<std::size_t>{4});
    ASSERT_EQ(received.progresses.size(), 1);
    EXPECT_EQ(received.progresses[0].first, 4);
    EXPECT_EQ(received.progresses[0].second.done, 7);
    EXPECT_EQ(received.progresses[0].second.maximum, 20);
    ASSERT_EQ(received.messages.size(), 1);
    EXPECT_EQ(received.messages[0].second, "text");
    EXPECT_EQ(received.end.exit_code, 6);
    EXPECT_EQ(received.end.error, "end");
}

TEST(EventFrames, EachFieldOfAResultIsListedOnce)
{
    ItemResult result;
    std::vector<const void*> members = places(fields_of(result));
    std::ranges::sort(members);
    EXPECT_EQ(std::ranges::adjacent_find(members), members.end());
    EXPECT_EQ(members.front(), &result);
}

}  // namespace
}  // namespace clconv
