// SPDX-License-Identifier: Apache-2.0
#include "batch/same_files.h"

#include "base/errors.h"
#include "batch/pipeline.h"
#include "batch/small_steps.h"
#include "files/temporary_folder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <mutex>

namespace clconv {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class SameFilesTest : public InATemporaryFolder {
protected:
    /// An item for "out/NAME" from a file of this name.
    Item item(const std::string& name, std::size_t psf = 0)
    {
        Item item;
        item.info = {items_++, at("in/" + name), at("out/" + name), "psf", {}};
        item.psf = psf;
        return item;
    }
    void link(const std::string& name, const std::string& target)
    {
        fs::create_directories(at("in"));
        fs::create_symlink(target, at("in/" + name));
    }
    static std::vector<std::size_t> indices(const std::vector<Item>& items)
    {
        std::vector<std::size_t> found;
        for (const Item& item : items) found.push_back(item.info.index);
        return found;
    }

private:
    std::size_t items_ = 0;
};

TEST_F(SameFilesTest, AreNamesOfOneFileWithOnePsfAndOneFormat)
{
    (void)file("in/a.png", "picture");
    (void)file("in/b.png", "picture");
    link("c.png", "a.png");
    link("d.tif", "a.png");
    fs::create_hard_link(at("in/a.png"), at("in/e.png"));
    std::vector<Item> items{item("a.png"), item("a.png", 1), item("b.png"),    item("c.png"),
                            item("d.tif"), item("e.png", 1), item("gone.png"), item("gone.png")};
    const SameFiles same = SameFiles::taken_from(items);
    EXPECT_THAT(indices(items), ElementsAre(0, 1, 2, 4, 6, 7));
    EXPECT_THAT(indices(same.of(items[0])), ElementsAre(3)) << "c.png";
    EXPECT_THAT(indices(same.of(items[1])), ElementsAre(5)) << "e.png with the other PSF";
    EXPECT_EQ(same.count(), 2U);
    EXPECT_TRUE(same.of(items[2]).empty());
}

TEST_F(SameFilesTest, MessagesNameTheFilesOfTheirOwnItem)
{
    ItemResult result;
    result.warnings = {at("in/a.png") + ": part 1 is odd in " + at("out/a.png")};
    result.times = {{"read", Seconds{1}}};
    const Item made = item("a.png");
    const Item same = item("b.png");
    const ItemResult words = result_in_words_of(same, result, made);
    EXPECT_EQ(words.warnings.front().message, at("in/b.png") + ": part 1 is odd in " + at("out/b.png"));
    EXPECT_TRUE(words.times.empty());
}

TEST_F(SameFilesTest, MessagesStayRightIfOneNameContainsAnother)
{
    Item made, same;
    made.info = {0, "1.png", "out/1.png", "psf", {}};
    same.info = {1, "11.png", "out/11.png", "psf", {}};
    ItemResult result;
    result.error = "1.png: cannot become out/1.png";
    EXPECT_EQ(result_in_words_of(same, result, made).error, "11.png: cannot become out/11.png");
}

/// A device that does nothing, or fails.
class Idle final : public ImageWorker {
public:
    int starts = 0;
    bool fails = false;

    [[nodiscard]] std::size_t capacity() const override { return 1; }
    void expect(const Image& /*image*/, const Item& /*item*/) noexcept override {}
    void start(const std::shared_ptr<const Image>& image, const Item& /*item*/,
               const ReportProgress& /*progress*/) override
    {
        ++starts;
        if (fails) throw InputError("is wrong");
        image_ = image;
    }
    Convolved finish() override { return {image_, {}, "a plan"}; }
    void renew() override {}
    void keep_programs(Seconds /*budget*/) noexcept override {}
    [[nodiscard]] std::string name() const override { return "idle"; }

private:
    std::shared_ptr<const Image> image_;
};

class Results final : public Sink {
public:
    void item_finished(const ItemInfo& item, const ItemResult& result) override
    {
        const std::lock_guard lock(mutex_);
        results[item.index] = result;
    }
    std::map<std::size_t, ItemResult> results;

private:
    std::mutex mutex_;
};

class PipelineOfSameFiles : public SameFilesTest {
protected:
    PipelineOfSameFiles()
    {
        (void)file("in/a.png", "picture");
        for (const std::string name : {"b.png", "c.png"}) link(name, "a.png");
        items_ = {item("a.png"), item("b.png"), item("c.png")};
        steps_ = small_steps();
        steps_.open = [this] { return Opened{{worker_}}; };
        steps_.write = [this](const Image&, const Item& item) { (void)file(below(item.info.output), "result"); };
        steps_.copy = [](const Item& made, const Item& same) { copy_output(made.info.output, same.info.output); };
    }

    /// The name of an output in the temporary folder.
    static std::string below(const fs::path& output) { return "out/" + output.filename().string(); }
    Tally run() { return run_pipeline(items_, steps_, options_, stop_, ends_); }

    std::shared_ptr<Idle> worker_ = std::make_shared<Idle>();
    std::vector<Item> items_;
    Steps steps_;
    PipelineOptions options_{.jobs = 2};
    std::atomic<int> stop_ = 0;
    Results ends_;
};

TEST_F(PipelineOfSameFiles, ComputesOnceAndCopiesTheOutput)
{
    const Tally tally = run();
    EXPECT_EQ(tally.done, 3U);
    EXPECT_EQ(tally.total, 3U);
    EXPECT_EQ(worker_->starts, 1);
    EXPECT_TRUE(ends_.results.at(0).copy_of.empty());
    for (const std::size_t copy : {1U, 2U}) {
        EXPECT_EQ(ends_.results.at(copy).copy_of, fs::path(at("out/a.png")));
        EXPECT_EQ(ends_.results.at(copy).plan, "a plan");
        EXPECT_EQ(fs::file_size(items_[copy].info.output), std::string("result").size());
    }
}

TEST_F(PipelineOfSameFiles, AnOutputThatCannotBeWrittenLeavesTheOthersAlone)
{
    steps_.write = [this](const Image&, const Item& item) {
        if (item.info.index == 0) throw InputError(item.info.output.string() + ": the disk is full");
        (void)file(below(item.info.output), "result");
    };
    run();
    EXPECT_EQ(ends_.results.at(0).status, ItemStatus::failed);
    EXPECT_EQ(ends_.results.at(1).status, ItemStatus::done);
    EXPECT_TRUE(ends_.results.at(1).copy_of.empty());
    EXPECT_EQ(ends_.results.at(2).copy_of, fs::path(at("out/b.png")));
    EXPECT_EQ(worker_->starts, 1);
}

TEST_F(PipelineOfSameFiles, WhatCannotBeComputedFailsUnderEachName)
{
    worker_->fails = true;
    EXPECT_EQ(run().failed, 3U);
    for (const Item& item : items_)
        EXPECT_EQ(ends_.results.at(item.info.index).error, item.info.input.string() + ": is wrong");
}

TEST_F(PipelineOfSameFiles, TheFirstFailureStopsUnderFailFast)
{
    worker_->fails = true;
    options_.fail_fast = true;
    const Tally tally = run();
    EXPECT_EQ(tally.failed, 1U);
    EXPECT_EQ(tally.not_started(), 2U);
}

TEST_F(PipelineOfSameFiles, WithoutAWayToCopyEachIsComputed)
{
    steps_.copy = {};
    EXPECT_EQ(run().done, 3U);
    EXPECT_EQ(worker_->starts, 3);
}

}  // namespace
}  // namespace clconv
