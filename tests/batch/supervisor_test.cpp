// SPDX-License-Identifier: Apache-2.0
#include "batch/supervisor.h"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <thread>

namespace clconv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Keeps how every item ended, and the order of the events.
class ItemEnds final : public Sink {
public:
    void run_started(const RunInfo& run) override
    {
        ++starts;
        devices = run.devices.size();
    }
    void item_finished(const ItemInfo& item, const ItemResult& result) override
    {
        EXPECT_EQ(starts, 1) << "an item ended before the event of the run's start";
        results.emplace_back(item.index, result);
    }
    [[nodiscard]] std::vector<std::size_t> indices(ItemStatus status) const
    {
        std::vector<std::size_t> found;
        for (const auto& [index, result] : results)
            if (result.status == status) found.push_back(index);
        std::ranges::sort(found);
        return found;
    }
    int starts = 0;
    std::size_t devices = 0;
    std::vector<std::pair<std::size_t, ItemResult>> results;
};

std::vector<Item> items_of(std::size_t count)
{
    std::vector<Item> items;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name = "image" + std::to_string(i);
        items.push_back({{i, name, "out/" + name, "psf"}, 0, false});
    }
    return items;
}

/// Decodes one item after the other; `decode` is what a test is about.
class SupervisorTest : public testing::Test {
protected:
    SupervisedEnd run(const std::vector<Item>& items, const std::function<void(std::size_t, Attempt)>& decode)
    {
        const auto work = [&](const Attempt& attempt, CodecBoard& board, Sink& sink) {
            RunInfo info;
            info.devices.resize(2);
            before_(attempt);
            sink.run_started(info);
            for (const Item& item : attempt.items) {
                if (board.stop() != 0) break;
                sink.item_started(item.info);
                {
                    std::optional<CodecMark> mark;
                    if (in_codec_) mark.emplace(&board, item.info.index, CodecKind::decoder);
                    decode(item.info.index, attempt);
                }
                ItemResult result;
                result.status = ItemStatus::done;
                result.times = {{"read", Seconds{0.25}}};
                result.spans = {{"reader 1", "read", {}, {}}};
                result.device = 1;
                sink.item_finished(item.info, result);
            }
            return AttemptEnd{end_};
        };
        Supervisor supervisor({{}, items, board_, ends_}, options_, work);
        SupervisedEnd end = supervisor.run();
        supervisor.wait();
        return end;
    }

    SupervisorOptions options_;
    CodecBoard board_{8};
    ItemEnds ends_;
    bool in_codec_ = true;
    WorkEnd end_;
    std::function<void(const Attempt&)> before_ = [](const Attempt&) {};
};

TEST_F(SupervisorTest, PassesOnWhatTheProcessTells)
{
    const SupervisedEnd end = run(items_of(3), [](std::size_t, const Attempt&) {});
    EXPECT_EQ(end.failed, 0U);
    EXPECT_THAT(ends_.indices(ItemStatus::done), ElementsAre(0, 1, 2));
    EXPECT_EQ(ends_.devices, 2U);
    const ItemResult& result = ends_.results.front().second;
    EXPECT_EQ(result.times.at(0).stage, "read");
    EXPECT_EQ(result.times.at(0).time, Seconds{0.25});
    EXPECT_EQ(result.spans.at(0).track, "reader 1");
    EXPECT_EQ(result.device, 1U);
}

TEST_F(SupervisorTest, FailsWhatKillsItsProcessAndMakesTheRest)
{
    const SupervisedEnd end = run(items_of(6), [](std::size_t index, const Attempt&) {
        if (index == 2) std::abort();
        if (index == 4) std::raise(SIGKILL);
    });
    EXPECT_EQ(end.failed, 2U);
    EXPECT_FALSE(end.is_internal);
    EXPECT_THAT(ends_.indices(ItemStatus::failed), ElementsAre(2, 4));
    EXPECT_THAT(ends_.indices(ItemStatus::done), ElementsAre(0, 1, 3, 5));
}

TEST_F(SupervisorTest, BlamesNoImageForWhatAnotherDidToTheProcess)
{
    // Image 1 damages memory, and image 2 finds out; later image 3 alone kills its process.
    bool is_damaged = false;
    run(items_of(5), [&](std::size_t index, const Attempt&) {
        if (index == 1) is_damaged = true;
        if (index == 3 || (index == 2 && is_damaged)) std::abort();
    });
    EXPECT_THAT(ends_.indices(ItemStatus::failed), ElementsAre(3));
}

TEST_F(SupervisorTest, ReplacesWhatAProcessThatDiedMayHaveWritten)
{
    std::vector<Item> items = items_of(3);
    for (Item& item : items) item.existing = Existing::refuse;
    run(items, [](std::size_t index, const Attempt& attempt) {
        const bool may_replace = attempt.items.front().existing == Existing::overwrite;
        if (attempt.one_at_a_time ? !may_replace : may_replace || index == 1) std::abort();
    });
    EXPECT_THAT(ends_.indices(ItemStatus::done), ElementsAre(0, 1, 2));
}

TEST_F(SupervisorTest, TellsWhatFailedBeforeTheDevicesAreOpen)
{
    options_.timeout = Seconds{0.1};
    before_ = [this](const Attempt&) {
        const CodecMark mark(&board_, 0, CodecKind::decoder);
        std::this_thread::sleep_for(std::chrono::minutes(1));
    };
    EXPECT_EQ(run(items_of(1), [](std::size_t, const Attempt&) {}).failed, 1U);
    EXPECT_THAT(ends_.indices(ItemStatus::failed), ElementsAre(0));
}

TEST_F(SupervisorTest, EndsWhatTakesTooLong)
{
    options_.timeout = Seconds{0.2};
    run(items_of(3), [](std::size_t index, const Attempt&) {
        while (index == 1) std::this_thread::sleep_for(std::chrono::seconds(1));
    });
    EXPECT_THAT(ends_.indices(ItemStatus::failed), ElementsAre(1));
    EXPECT_THAT(ends_.results.at(1).second.error, HasSubstr("is not done after 0.2 s"));
}

TEST_F(SupervisorTest, TellsACrashOfClconvItself)
{
    in_codec_ = false;
    const SupervisedEnd end = run(items_of(9), [](std::size_t index, const Attempt&) {
        if (index == 1) std::abort();
    });
    EXPECT_TRUE(end.is_internal);
    EXPECT_EQ(end.fatal.error, "");
    EXPECT_THAT(ends_.indices(ItemStatus::failed), ElementsAre(1));
    EXPECT_EQ(ends_.indices(ItemStatus::done).size(), 8U);
}

TEST_F(SupervisorTest, GivesUpWhenClconvItselfCrashesAgainAndAgain)
{
    in_codec_ = false;
    const SupervisedEnd end = run(items_of(9), [](std::size_t, const Attempt&) { std::abort(); });
    EXPECT_THAT(end.fatal.error, HasSubstr("SIGABRT"));
    EXPECT_EQ(ends_.results.size(), 3U);
}

TEST_F(SupervisorTest, DoesNotTryAgainWhatCrashesBeforeAnyImage)
{
    before_ = [](const Attempt&) { std::abort(); };
    const SupervisedEnd end = run(items_of(3), [](std::size_t, const Attempt&) {});
    EXPECT_TRUE(end.is_internal);
    EXPECT_THAT(end.fatal.error, HasSubstr("SIGABRT"));
    EXPECT_TRUE(ends_.results.empty());
}

TEST_F(SupervisorTest, PassesOnAnErrorThatEndsTheRun)
{
    end_ = {5, "no device"};
    const SupervisedEnd end = run(items_of(1), [](std::size_t, const Attempt&) {});
    EXPECT_EQ(end.fatal.exit_code, 5);
    EXPECT_EQ(end.fatal.error, "no device");
}

}  // namespace
}  // namespace clconv
