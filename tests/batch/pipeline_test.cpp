// SPDX-License-Identifier: Apache-2.0
#include "batch/pipeline.h"

#include "base/errors.h"
#include "batch/small_steps.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

namespace clconv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Keeps how every item ended.
class Ends final : public Sink {
public:
    void item_finished(const ItemInfo& item, const ItemResult& result) override
    {
        const std::lock_guard lock(mutex_);
        results.emplace_back(item, result);
    }
    [[nodiscard]] std::vector<std::size_t> indices(ItemStatus status) const
    {
        std::vector<std::size_t> found;
        for (const auto& [item, result] : results)
            if (result.status == status) found.push_back(item.index);
        std::ranges::sort(found);
        return found;
    }
    [[nodiscard]] std::string error() const
    {
        for (const auto& [item, result] : results)
            if (!result.error.empty()) return result.error;
        return {};
    }
    std::vector<std::pair<ItemInfo, ItemResult>> results;

private:
    std::mutex mutex_;
};

/// Waits for what other threads do. False: it does not happen.
bool comes_true(const std::function<bool()>& condition)
{
    for (int i = 0; i < 10'000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return condition();
}

std::vector<Item> batch(std::size_t inputs, std::size_t psfs = 1)
{
    std::vector<Item> items;
    for (std::size_t input = 0; input < inputs; ++input)
        for (std::size_t psf = 0; psf < psfs; ++psf) {
            const std::string name = "image" + std::to_string(input) + ".png";
            items.push_back({{items.size(), name, "out/" + name, "psf"}, psf, false});
        }
    return items;
}

/// A device that counts, and calls what a test is about.
class FakeWorker final : public ImageWorker {
public:
    std::function<void(const Item&)> on_start = [](const Item&) {};
    std::function<void(const Item&)> on_finish = [](const Item&) {};
    std::function<void()> on_renew = [] {};
    std::size_t maximum = 1;  ///< images in flight
    std::vector<std::size_t> convolved;
    int renewed = 0;

    [[nodiscard]] std::size_t capacity() const override { return renewed > 0 ? 1 : maximum; }
    void expect(const Image& /*image*/, const Item& /*item*/) noexcept override {}
    void start(const std::shared_ptr<const Image>& image, const Item& item, const ReportProgress& /*progress*/) override
    {
        ASSERT_LT(started_.size(), capacity());
        on_start(item);
        started_.emplace_back(image, &item);
    }
    Convolved finish() override
    {
        const auto [image, item] = started_.front();
        started_.pop_front();
        on_finish(*item);
        convolved.push_back(item->info.index);
        return {image, {{"columns", Seconds{1}}}, "a plan"};
    }
    void keep_programs(Seconds /*budget*/) noexcept override {}
    void renew() override
    {
        started_.clear();
        on_renew();
        ++renewed;
    }
    [[nodiscard]] std::string name() const override { return "fake"; }

private:
    std::deque<std::pair<std::shared_ptr<const Image>, const Item*>> started_;
};

/// Steps that only count; a test replaces the one that it is about.
class PipelineTest : public testing::Test {
protected:
    PipelineTest()
    {
        steps_ = small_steps();
        steps_.read = [this, read = steps_.read](const Item& item, const AllocateSamples& allocate) {
            ++reads_;
            return read(item, allocate);
        };
        steps_.open = [this] { return opened_; };
        steps_.write = [this](const Image&, const Item&) { ++writes_; };
    }

    Tally run(const std::vector<Item>& items) { return run_pipeline(items, steps_, options_, stop_, ends_); }

    std::shared_ptr<FakeWorker> worker_ = std::make_shared<FakeWorker>();
    Opened opened_{{worker_}};
    const std::vector<std::size_t>& convolved_ = worker_->convolved;
    Steps steps_;
    PipelineOptions options_{.jobs = 3};
    std::atomic<int> stop_ = 0;
    Ends ends_;
    std::atomic<int> reads_ = 0;
    std::atomic<int> writes_ = 0;
};

TEST_F(PipelineTest, ConvolvesInTheItemsOrderHoweverReadingOvertakes)
{
    steps_.read = [](const Item& item, const AllocateSamples&) {
        if (item.info.input == "image0.png") std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return Image{};
    };
    const Tally tally = run(batch(20));
    EXPECT_EQ(tally.done, 20U);
    EXPECT_TRUE(std::ranges::is_sorted(convolved_));
}

TEST_F(PipelineTest, ReadsAnImageOnceForSeveralPsfs)
{
    EXPECT_EQ(run(batch(4, 3)).done, 12U);
    EXPECT_EQ(reads_, 4);
}

TEST_F(PipelineTest, CountsTheTimeOfReadingOnce)
{
    run(batch(1, 3));
    int entries = 0;
    for (const auto& [item, result] : ends_.results)
        entries += static_cast<int>(std::ranges::count(result.times, std::string("read"), &StageTime::stage));
    EXPECT_EQ(entries, 1);
}

TEST_F(PipelineTest, OfNothingEnds) { EXPECT_EQ(run({}).total, 0U); }

TEST_F(PipelineTest, ABadImageFailsAlone)
{
    steps_.read = [](const Item& item, const AllocateSamples&) {
        if (item.info.input == "image1.png") throw InputError("image1.png: is truncated");
        return Image{};
    };
    const Tally tally = run(batch(4));
    EXPECT_EQ(tally.done, 3U);
    EXPECT_THAT(ends_.indices(ItemStatus::failed), ElementsAre(1));
    EXPECT_EQ(ends_.error(), "image1.png: is truncated");
}

TEST_F(PipelineTest, AnErrorThatDoesNotNameTheImageGetsItsName)
{
    worker_->on_start = [](const Item&) { throw DeviceError("out of memory"); };
    run(batch(1));
    EXPECT_EQ(ends_.error(), "image0.png: out of memory");
}

TEST_F(PipelineTest, WhateverALibraryThrowsFailsOneImageAndNamesIt)
{
    const auto good = steps_.read;
    const auto throws = [this, good](const auto& what) {
        ends_.results.clear();
        steps_.read = [read = good, what](const Item& item, const AllocateSamples& allocate) {
            if (item.info.input == "image3.png")
                throw what;  // NOLINT(cert-err09-cpp,cert-err61-cpp): it need not be an error
            return read(item, allocate);
        };
        EXPECT_EQ(run(batch(6)).done, 5U);
        EXPECT_THAT(ends_.indices(ItemStatus::failed), ElementsAre(3));
        EXPECT_THAT(ends_.error(), HasSubstr("image3.png"));
    };
    throws(std::length_error("vector::_M_default_append"));
    throws(std::bad_alloc());
    throws(42);
}

TEST_F(PipelineTest, WhateverALibraryThrowsWhileItWritesFailsOneImage)
{
    steps_.write = [](const Image&, const Item& item) {
        if (item.info.index == 2) throw std::length_error("basic_string::_M_create");
    };
    EXPECT_EQ(run(batch(6)).done, 5U);
    EXPECT_THAT(ends_.indices(ItemStatus::failed), ElementsAre(2));
    EXPECT_THAT(ends_.error(), HasSubstr("image2.png"));
}

TEST_F(PipelineTest, AFailedWriteFailsItsItem)
{
    steps_.write = [](const Image&, const Item& item) {
        if (item.info.index == 2) throw InputError("out/image2.png: no space left");
    };
    run(batch(5));
    EXPECT_THAT(ends_.indices(ItemStatus::failed), ElementsAre(2));
    EXPECT_THAT(ends_.indices(ItemStatus::done), ElementsAre(0, 1, 3, 4));
}

TEST_F(PipelineTest, FailFastConvolvesNothingAfterTheFirstFailure)
{
    options_.fail_fast = true;
    steps_.read = [](const Item& item, const AllocateSamples&) {
        if (item.info.input == "image3.png") throw InputError("image3.png: is broken");
        return Image{};
    };
    const Tally tally = run(batch(50));
    EXPECT_THAT(convolved_, ElementsAre(0, 1, 2));
    EXPECT_EQ(tally.done, 3U);
    EXPECT_EQ(tally.not_started(), 46U);
}

TEST_F(PipelineTest, AProgramThatDoesNotBuildEndsTheRun)
{
    worker_->on_start = [](const Item&) { throw BuildError("line 3: syntax"); };
    EXPECT_THROW(run(batch(50)), BuildError);
    EXPECT_THAT(ends_.indices(ItemStatus::failed), ElementsAre(0));
}

TEST_F(PipelineTest, AnInternalErrorOfAWriterEndsTheRun)
{
    steps_.write = [](const Image&, const Item&) { throw InternalError("a promise does not hold"); };
    EXPECT_THROW(run(batch(50)), InternalError);
}

TEST_F(PipelineTest, AStopFinishesWhatIsInFlightAndStartsNothingNew)
{
    worker_->on_finish = [this](const Item& item) {
        if (item.info.index == 4) stop_ = SIGINT;
    };
    const Tally tally = run(batch(100));
    EXPECT_THAT(convolved_, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_EQ(tally.done, 5U) << "what was convolved is written";
    EXPECT_EQ(tally.not_started(), 95U);
}

TEST_F(PipelineTest, AStopBeforeTheFirstItemStartsNothing)
{
    stop_ = SIGTERM;
    EXPECT_EQ(run(batch(10)).not_started(), 10U);
    EXPECT_EQ(writes_, 0);
}

TEST_F(PipelineTest, SkippedItemsAreReportedAndNotRead)
{
    std::vector<Item> items = batch(3);
    items[1].skip = true;
    const Tally tally = run(items);
    EXPECT_EQ(tally.skipped, 1U);
    EXPECT_EQ(reads_, 2);
    EXPECT_THAT(ends_.indices(ItemStatus::skipped), ElementsAre(1));
}

TEST_F(PipelineTest, HoldsABoundedNumberOfImagesHoweverSlowTheWriterIs)
{
    options_.jobs = 2;
    opened_.on_own_cores = false;
    std::atomic<bool> head_start_is_over = false;
    worker_->on_start = [&](const Item&) { head_start_is_over = true; };
    steps_.read = [&](const Item& item, const AllocateSamples&) {
        EXPECT_TRUE(item.info.input == "image0.png" || comes_true([&] { return head_start_is_over.load(); }));
        ++reads_;
        return Image{};
    };
    int maximum = 0;
    worker_->on_finish = [&](const Item&) { maximum = std::max(maximum, reads_ - writes_); };
    steps_.write = [this](const Image&, const Item&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ++writes_;
    };
    EXPECT_EQ(run(batch(100)).done, 100U);
    // Two waiting to be written, two being written, one being convolved, three read ahead.
    EXPECT_LE(maximum, 8);
}

TEST_F(PipelineTest, KeepsAsManyImagesInFlightAsTheDeviceTakes)
{
    worker_->maximum = 3;
    std::size_t in_flight = 0, maximum = 0;
    worker_->on_start = [&](const Item&) { maximum = std::max(maximum, ++in_flight); };
    worker_->on_finish = [&](const Item&) { --in_flight; };
    EXPECT_EQ(run(batch(60, 2)).done, 120U);
    EXPECT_EQ(maximum, 3U);
    EXPECT_TRUE(std::ranges::is_sorted(convolved_));
}

TEST_F(PipelineTest, WhatIsInFlightWhenAStopComesIsWritten)
{
    worker_->maximum = 3;
    worker_->on_start = [this](const Item& item) {
        if (item.info.index == 4) stop_ = SIGINT;
    };
    const Tally tally = run(batch(100));
    EXPECT_EQ(tally.done, 5U);
    EXPECT_EQ(writes_, 5);
}

TEST_F(PipelineTest, HoldsNoMoreMemoryThanItsLimitHoweverSlowTheWriterIs)
{
    options_ = {.jobs = 4, .memory = 50};
    opened_.memory = 50;
    std::atomic<int> held = 0;
    std::atomic<int> maximum = 0;
    steps_.input_memory = [](const Image&) { return 10; };
    steps_.output_memory = [](const Image&, const Item&) { return 10; };
    steps_.memory = [&](std::size_t size) {
        held += 20;  // with what will be made of it
        maximum = std::max(maximum.load(), held.load());
        return Bytes(size);
    };
    steps_.write = [&](const Image&, const Item&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        held -= 20;
    };
    EXPECT_EQ(run(batch(100)).done, 100U);
    EXPECT_LE(maximum, 50);
}

TEST_F(PipelineTest, AnImageLargerThanTheMemoryLimitIsMadeAlone)
{
    options_ = {.jobs = 4, .memory = 1};
    opened_.memory = 1;
    EXPECT_EQ(run(batch(20, 9)).done, 180U);
}

TEST_F(PipelineTest, ReadsWhileTheDevicesAreOpened)
{
    steps_.open = [this] {
        EXPECT_TRUE(comes_true([&] { return reads_ == 50; }));
        EXPECT_TRUE(ends_.results.empty());
        return opened_;
    };
    EXPECT_EQ(run(batch(50)).done, 50U);
}

TEST_F(PipelineTest, ReadsNoFurtherAheadOfTheDevicesThanItsMemoryAllows)
{
    options_.memory = 40;
    std::atomic<int> held = 0;
    steps_.memory = [&](std::size_t size) {
        ++held;
        return Bytes(size);
    };
    steps_.open = [&] {
        EXPECT_TRUE(comes_true([&] { return held == 20; }));
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        EXPECT_EQ(held, 20);
        return opened_;
    };
    EXPECT_EQ(run(batch(100)).done, 100U);
}

TEST_F(PipelineTest, HeadStartOfReadersIsUsedUpWithoutStoppingThem)
{
    constexpr int ahead = 100;
    options_.memory = 2 * ahead;
    steps_.open = [this] {
        EXPECT_TRUE(comes_true([&] { return reads_ >= ahead; }));
        return opened_;
    };
    worker_->on_finish = [this](const Item& item) {
        const int finished = static_cast<int>(item.info.index);
        // Two results later one more may be read; the rest is of those at work.
        const int maximum = std::max(ahead + finished / 2, finished) + 3 * options_.jobs;
        EXPECT_TRUE(finished == 0 || reads_ <= maximum) << reads_ << " of " << maximum;
        EXPECT_TRUE(finished != ahead || comes_true([&] { return reads_ >= ahead + finished / 4; }));
    };
    EXPECT_EQ(run(batch(4 * ahead)).done, 4U * ahead);
}

TEST_F(PipelineTest, DevicesThatDoNotOpenEndTheRunBeforeAnyItem)
{
    steps_.open = [this]() -> Opened {
        EXPECT_TRUE(comes_true([&] { return reads_ > 10; }));
        throw DeviceError("there is none");
    };
    std::vector<Item> items = batch(50);
    items[3].skip = true;
    EXPECT_THROW(run(items), DeviceError);
    EXPECT_TRUE(ends_.results.empty());
}

TEST_F(PipelineTest, AStopWhileDevicesAreOpenedStartsNothing)
{
    steps_.open = [this] {
        stop_ = SIGINT;
        return opened_;
    };
    EXPECT_EQ(run(batch(50)).not_started(), 50U);
}

TEST_F(PipelineTest, AnErrorOfTheDeviceIsTriedAgainAndHarmsNothing)
{
    worker_->maximum = 3;
    bool failed = false;
    worker_->on_finish = [&](const Item& item) {
        if (item.info.index != 4 || std::exchange(failed, true)) return;
        throw DeviceError("the device was lost");
    };
    const Tally tally = run(batch(20));
    EXPECT_EQ(tally.done, 20U);
    EXPECT_EQ(worker_->renewed, 1);
    EXPECT_EQ(writes_, 20);
}

TEST_F(PipelineTest, AnErrorAtTheStartOfAnImageHarmsNothingInFlight)
{
    worker_->maximum = 3;
    bool failed = false;
    worker_->on_start = [&](const Item& item) {
        if (item.info.index == 5 && !std::exchange(failed, true)) throw DeviceError("no memory");
    };
    EXPECT_EQ(run(batch(20)).done, 20U);
    EXPECT_EQ(writes_, 20);
}

TEST_F(PipelineTest, WhatFailsOnTheDeviceTwiceFailsAlone)
{
    worker_->maximum = 3;
    worker_->on_start = [](const Item& item) {
        if (item.info.index == 7) throw DeviceError("no memory");
    };
    const Tally tally = run(batch(20));
    EXPECT_EQ(tally.done, 19U);
    EXPECT_THAT(ends_.indices(ItemStatus::failed), ElementsAre(7));
}

TEST_F(PipelineTest, ALostLastDeviceFailsAllThatIsLeft)
{
    worker_->on_finish = [](const Item& item) {
        if (item.info.index == 3) throw DeviceError("the device was lost");
    };
    worker_->on_renew = [] { throw DeviceError("there is no such device"); };
    const Tally tally = run(batch(10));
    EXPECT_EQ(tally.done, 3U);
    EXPECT_EQ(tally.failed, 7U);
    EXPECT_EQ(ends_.error(), "image3.png: the device was lost");
}

TEST_F(PipelineTest, SeveralDevicesShareTheImagesAndSayWhichDidWhat)
{
    const auto other = std::make_shared<FakeWorker>();
    opened_.workers.push_back(other);
    for (const auto& worker : {worker_, other})
        worker->on_start = [](const Item&) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    EXPECT_EQ(run(batch(60)).done, 60U);
    EXPECT_EQ(convolved_.size() + other->convolved.size(), 60U);
    EXPECT_GT(convolved_.size(), 5U);
    EXPECT_GT(other->convolved.size(), 5U);
    for (const auto& [item, result] : ends_.results)
        EXPECT_EQ(std::ranges::count(other->convolved, item.index), result.device == std::optional<std::size_t>(1));
}

TEST_F(PipelineTest, TheOtherDevicesGoOnWithoutALostOne)
{
    const auto other = std::make_shared<FakeWorker>();
    opened_.workers.push_back(other);
    other->on_start = [](const Item&) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    worker_->on_finish = [](const Item&) { throw DeviceError("the device was lost"); };
    worker_->on_renew = [] { throw DeviceError("there is no such device"); };
    const Tally tally = run(batch(40));
    EXPECT_EQ(tally.failed, 1U);
    EXPECT_EQ(tally.done, 39U);
}

/// A device is lost while it has images in flight: the next cannot be started, and those cannot be finished.
void lose_at_a_start(FakeWorker& worker)
{
    const auto starts = std::make_shared<int>(0);
    worker.maximum = 3;
    worker.on_start = [starts](const Item&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));  // so that the next images are read
        if (++*starts >= 6) throw DeviceError("the device was lost");
    };
    worker.on_finish = [starts](const Item&) {
        if (*starts >= 6) throw DeviceError("the device was lost");
    };
    worker.on_renew = [] { throw DeviceError("there is no such device"); };
}

TEST_F(PipelineTest, ALastDeviceThatIsLostAtAStartFailsAllThatIsLeft)
{
    lose_at_a_start(*worker_);
    const Tally tally = run(batch(10));
    EXPECT_LE(tally.done, 5U);
    EXPECT_EQ(tally.done + tally.failed, 10U);
    EXPECT_EQ(ends_.results.size(), 10U);
}

TEST_F(PipelineTest, ADeviceThatIsLostAtAStartIsLostOnce)
{
    const auto other = std::make_shared<FakeWorker>();
    opened_.workers.push_back(other);
    other->on_start = [](const Item&) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    lose_at_a_start(*worker_);
    const Tally tally = run(batch(40));
    EXPECT_LE(tally.failed, 3U);
    EXPECT_EQ(tally.done + tally.failed, 40U);
}

TEST_F(PipelineTest, ADeviceThatIsRenewedAtAStartMakesAllOnce)
{
    worker_->maximum = 3;
    bool fails = true;
    worker_->on_start = [&](const Item& item) {
        if (fails && item.info.index == 2) throw DeviceError("out of resources");
    };
    worker_->on_finish = [&](const Item&) {
        if (fails) throw DeviceError("out of resources");
    };
    worker_->on_renew = [&] { fails = false; };
    EXPECT_EQ(run(batch(10)).done, 10U);
    EXPECT_EQ(worker_->renewed, 1);
    EXPECT_EQ(convolved_.size(), 10U);
}

TEST_F(PipelineTest, AddsUpTheStages)
{
    const Tally tally = run(batch(3));
    const auto columns = std::ranges::find(tally.stages, std::string("columns"), &StageTime::stage);
    ASSERT_NE(columns, tally.stages.end());
    EXPECT_DOUBLE_EQ(columns->time.count(), 3);
}

}  // namespace
}  // namespace clconv
