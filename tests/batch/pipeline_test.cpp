#include "batch/pipeline.h"

#include "base/errors.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
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

/// Steps that only count; a test replaces the one that it is about.
class PipelineTest : public testing::Test {
protected:
    PipelineTest()
    {
        steps_.read = [this](const std::filesystem::path&) {
            ++reads_;
            Image image;
            image.extent = {2, 2};
            image.channels = 1;
            return image;
        };
        steps_.convolve = [this](const Image& image, const Item& item) {
            convolved_.push_back(item.info.index);
            Convolved convolved;
            convolved.image.extent = image.extent;
            convolved.times = {{"columns", Seconds{1}}};
            return convolved;
        };
        steps_.write = [this](const Image&, const Item&) { ++writes_; };
    }

    Tally run(const std::vector<Item>& items) { return run_pipeline(items, steps_, options_, stop_, ends_); }

    Steps steps_;
    PipelineOptions options_{3, false};
    std::atomic<int> stop_ = 0;
    Ends ends_;
    std::atomic<int> reads_ = 0;
    std::vector<std::size_t> convolved_;
    std::atomic<int> writes_ = 0;
};

TEST_F(PipelineTest, ConvolvesInTheItemsOrderHoweverReadingOvertakes)
{
    steps_.read = [](const std::filesystem::path& path) {
        if (path == "image0.png") std::this_thread::sleep_for(std::chrono::milliseconds(20));
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
    steps_.read = [](const std::filesystem::path& path) {
        if (path == "image1.png") throw InputError("image1.png: is truncated");
        return Image{};
    };
    const Tally tally = run(batch(4));
    EXPECT_EQ(tally.done, 3U);
    EXPECT_THAT(ends_.indices(ItemStatus::failed), ElementsAre(1));
    EXPECT_EQ(ends_.error(), "image1.png: is truncated");
}

TEST_F(PipelineTest, AnErrorThatDoesNotNameTheImageGetsItsName)
{
    steps_.convolve = [](const Image&, const Item&) -> Convolved { throw DeviceError("out of memory"); };
    run(batch(1));
    EXPECT_EQ(ends_.error(), "image0.png: out of memory");
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
    steps_.read = [](const std::filesystem::path& path) {
        if (path == "image3.png") throw InputError("image3.png: is broken");
        return Image{};
    };
    const Tally tally = run(batch(50));
    EXPECT_THAT(convolved_, ElementsAre(0, 1, 2));
    EXPECT_EQ(tally.done, 3U);
    EXPECT_EQ(tally.not_started(), 46U);
}

TEST_F(PipelineTest, AProgramThatDoesNotBuildEndsTheRun)
{
    steps_.convolve = [](const Image&, const Item&) -> Convolved { throw BuildError("line 3: syntax"); };
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
    steps_.convolve = [this](const Image&, const Item& item) {
        convolved_.push_back(item.info.index);
        if (item.info.index == 4) stop_ = SIGINT;
        return Convolved{};
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
    int most = 0;
    steps_.convolve = [&](const Image&, const Item&) {
        most = std::max(most, reads_ - writes_);
        return Convolved{};
    };
    steps_.write = [this](const Image&, const Item&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ++writes_;
    };
    EXPECT_EQ(run(batch(100)).done, 100U);
    // Two waiting to be written, two being written, one being convolved, three read ahead.
    EXPECT_LE(most, 8);
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
