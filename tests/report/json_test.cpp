// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"
#include "report/event_stream.h"
#include "report/run_report.h"
#include "report/text_file.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace clconv {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

RunInfo run_of_three()
{
    RunInfo run;
    run.version = "1.2.3";
    run.command = {"clconv", "run", "in"};
    run.options = {{"--border", "clamp"}};
    run.devices = {{"0:0", "a platform", "a device", "a driver"}, {"0:1", "a platform", "another", "a driver"}};
    run.items = {
        {0, "in/a.png", "out/a.png", "box"}, {1, "in/b.png", "out/b.png", "box"}, {2, "in/c.png", "out/c.png", "box"}};
    run.opening = Seconds{0.25};
    return run;
}

ItemResult done_item()
{
    ItemResult result;
    result.status = ItemStatus::done;
    result.image = ImageFacts{{64, 48}, 3, FileType::u8};
    result.pixels = 64 * 48;
    result.output_type = FileType::half;
    result.overflowed = 5;
    result.plan = "rows ...";
    result.plan_origin = "record";
    result.plan_check = "passed";
    result.warnings = {"in/a.png: is odd", Warning(WarningKind::type, "in/a.png: is u16", "u16", "u8")};
    result.device = 1;
    result.times = {{"read", Seconds{0.25}}, {"write", Seconds{0.5}}};
    result.finished = Seconds{1.25};
    return result;
}

ItemResult failed_item(std::string error)
{
    ItemResult result;
    result.status = ItemStatus::failed;
    result.error = std::move(error);
    return result;
}

/// The report of a run of three items: the first done, the second failed, the third never started.
json interrupted_report()
{
    RunReport report;
    const RunInfo run = run_of_three();
    report.run_started(run);
    report.item_finished(run.items[1], failed_item("in/b.png: broken"));
    report.item_finished(run.items[0], done_item());
    report.run_finished({Seconds{1.5}, 130, 2, ""});
    return json::parse(report.text());
}

TEST(RunReport, HasOneEntryAnItemInTheItemsOrder)
{
    const json report = interrupted_report();
    ASSERT_EQ(report["items"].size(), 3U);
    EXPECT_EQ(report["items"][0]["status"], "done");
    EXPECT_EQ(report["items"][1]["status"], "failed");
    EXPECT_EQ(report["items"][2]["status"], "not_started");
    EXPECT_TRUE(report["items"][2]["finished_seconds"].is_null());
}

TEST(RunReport, SaysOfADoneItemWhatItWasAndWhereItsTimeWent)
{
    const json item = interrupted_report()["items"][0];
    EXPECT_EQ(item["input"], "in/a.png");
    EXPECT_EQ(item["output"], "out/a.png");
    EXPECT_EQ(item["psf"], "box");
    EXPECT_EQ(item["width"], 64);
    EXPECT_EQ(item["height"], 48);
    EXPECT_EQ(item["channels"], 3);
    EXPECT_EQ(item["type"], "u8");
    EXPECT_EQ(item["output_type"], "half");
    EXPECT_EQ(item["overflowed"], 5);
    EXPECT_EQ(item["plan"], "rows ...");
    EXPECT_EQ(item["plan_origin"], "record");
    EXPECT_EQ(item["plan_check"], "passed");
    EXPECT_EQ(item["warnings"], json::array({"in/a.png: is odd", "in/a.png: is u16"}));
    EXPECT_EQ(item["warning_details"],
              json::array({{{"kind", "other"}, {"from", nullptr}, {"to", nullptr}, {"message", "in/a.png: is odd"}},
                           {{"kind", "type"}, {"from", "u16"}, {"to", "u8"}, {"message", "in/a.png: is u16"}}}));
    EXPECT_EQ(item["device"], "another");
    EXPECT_EQ(item["device_index"], "0:1");
    EXPECT_EQ(item["worker"], 1);
    EXPECT_TRUE(item["error"].is_null());
    EXPECT_DOUBLE_EQ(item["stages"]["read"], 0.25);
    EXPECT_EQ(item["pixels"], 64 * 48);
    EXPECT_DOUBLE_EQ(item["finished_seconds"], 1.25);
}

TEST(RunReport, SaysOfAFailedItemWhyAndLeavesWhatIsUnknownNull)
{
    const json item = interrupted_report()["items"][1];
    EXPECT_EQ(item["error"], "in/b.png: broken");
    EXPECT_TRUE(item["width"].is_null());
    EXPECT_TRUE(item["plan"].is_null());
    EXPECT_TRUE(item["plan_origin"].is_null());
    EXPECT_TRUE(item["device"].is_null());
}

TEST(RunReport, SumsUpTheRun)
{
    const json report = interrupted_report();
    EXPECT_EQ(report["version"], "1.2.3");
    EXPECT_EQ(report["options"]["--border"], "clamp");
    EXPECT_EQ(report["device"]["index"], "0:0");
    EXPECT_EQ(report["devices"].size(), 2U);
    EXPECT_EQ(report["devices"][1]["name"], "another");
    EXPECT_EQ(report["exit_code"], 130);
    EXPECT_EQ(report["signal"], 2);
    EXPECT_DOUBLE_EQ(report["wall_seconds"], 1.5);
    EXPECT_DOUBLE_EQ(report["opening_seconds"], 0.25);
    EXPECT_EQ(report["counts"], (json{{"total", 3}, {"done", 1}, {"failed", 1}, {"skipped", 0}, {"not_started", 1}}));
    EXPECT_DOUBLE_EQ(report["stages"]["write"], 0.5);
}

TEST(RunReport, IsValidJsonForARunThatNeverStarted)
{
    RunReport report;
    report.run_finished({Seconds{0}, 4, 0, "out/a.png exists"});
    const json value = json::parse(report.text());
    EXPECT_EQ(value["error"], "out/a.png exists");
    EXPECT_TRUE(value["items"].empty());
    EXPECT_TRUE(value["device"].is_null());
}

TEST(RunReport, TakesFileNamesThatAreNoUtf8)
{
    RunReport report;
    RunInfo run = run_of_three();
    run.items[0].input = "in/\xff.png";
    report.run_started(run);
    EXPECT_TRUE(json::accept(report.text()));
}

class InAFolder : public testing::Test {
protected:
    InAFolder()
    {
        std::string name = (fs::temp_directory_path() / "clconv-report-XXXXXX").string();
        folder_ = mkdtemp(name.data());
    }
    ~InAFolder() override { fs::remove_all(folder_); }

    static std::string text_of(const fs::path& path)
    {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }
    [[nodiscard]] std::size_t files() const
    {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    fs::path folder_;
};

using TextFile = InAFolder;

TEST_F(TextFile, ReplacesAnOlderFileAndLeavesNoTemporary)
{
    write_text_file(folder_ / "a.json", "old and longer");
    write_text_file(folder_ / "a.json", "new");
    EXPECT_EQ(text_of(folder_ / "a.json"), "new");
    EXPECT_EQ(files(), 1U);
}

TEST_F(TextFile, NamesTheFileThatCannotBeWrittenAndLeavesNothing)
{
    fs::create_directory(folder_ / "a.json");
    try {
        write_text_file(folder_ / "a.json", "text");
        FAIL() << "wrote over a folder";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("a.json"));
    }
    EXPECT_EQ(files(), 1U);
}

using EventStreamTest = InAFolder;

TEST_F(EventStreamTest, WritesOneObjectALineInTheOrderOfTheEvents)
{
    {
        EventStream stream(folder_ / "events", [](int) { FAIL(); });
        const RunInfo run = run_of_three();
        stream.run_started(run);
        stream.item_started(run.items[0]);
        stream.item_progressed(run.items[0], {34, 100});
        stream.item_finished(run.items[0], done_item());
        stream.message(Level::warning, "two\nlines");
        stream.run_finished({Seconds{1}, 0, 0, ""});
    }
    std::istringstream lines(text_of(folder_ / "events"));
    std::vector<std::string> events;
    for (std::string line; std::getline(lines, line);) events.push_back(json::parse(line)["event"]);
    EXPECT_THAT(events, testing::ElementsAre("run_started", "item_started", "item_progressed", "item_finished",
                                             "message", "run_finished"));
}

TEST(EventStreamOfAFullDisk, GoesQuietAfterTellingOnce)
{
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
    int calls = 0;
    EventStream stream("/dev/full", [&](int) { ++calls; });
    stream.message(Level::error, "first");
    stream.message(Level::error, "second");
    EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace clconv
