// SPDX-License-Identifier: Apache-2.0
#include "report/trace.h"

#include "base/errors.h"
#include "report/progress_lines.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <mutex>

namespace clconv {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

class TraceTest : public testing::Test {
protected:
    TraceTest()
    {
        std::string name = (fs::temp_directory_path() / "clconv-trace-XXXXXX").string();
        folder_ = mkdtemp(name.data());
    }
    ~TraceTest() override { fs::remove_all(folder_); }

    /// The events of a run of one item that has these spans, in milliseconds after the start.
    struct Piece {
        std::string track, name;
        int from, to;
        std::string program = {};
    };
    [[nodiscard]] json events(const std::vector<Piece>& pieces, std::size_t device = 0) const
    {
        const fs::path path = folder_ / "trace.json";
        {
            Trace trace(path, [](int) { FAIL(); });
            RunInfo run;
            run.items = {{7, "in/\"a\".png", "out/a.png", "box"}};
            run.opening = Seconds{1e-3};
            std::this_thread::sleep_for(2ms);
            trace.run_started(run);
            ItemResult result;
            result.device = device;
            const Clock::time_point start = Clock::now();
            for (const Piece& piece : pieces)
                result.spans.push_back(
                    {piece.track, piece.name, start + piece.from * 1ms, start + piece.to * 1ms, piece.program});
            trace.item_finished(run.items[0], result);
            trace.run_finished({});
        }
        const json value = json::parse(std::ifstream(path));
        return value.at("traceEvents");
    }

    static json named(const json& events, const std::string& name)
    {
        for (const json& event : events)
            if (event.at("name") == name) return event;
        ADD_FAILURE() << "no event " << name;
        return {};
    }

    /// The name of the track that an event lies on.
    static std::string track_of(const json& events, const json& event)
    {
        for (const json& other : events)
            if (other["name"] == "thread_name" && other["pid"] == event["pid"] && other["tid"] == event["tid"])
                return other["args"]["name"];
        return {};
    }

    fs::path folder_;
};

TEST_F(TraceTest, HasATrackAThreadAndTracksOfTheDevice)
{
    const json all = events({{"reader 1", "read", 0, 5},
                             {"device", "upload", 5, 6},
                             {"device", "rows", 6, 9},
                             {"writer 2", "write", 9, 12}});
    EXPECT_EQ(track_of(all, named(all, "read")), "reader 1");
    EXPECT_EQ(track_of(all, named(all, "write")), "writer 2");
    EXPECT_EQ(track_of(all, named(all, "rows")), "passes");
    EXPECT_EQ(track_of(all, named(all, "upload")), "upload");
    EXPECT_NE(named(all, "rows")["pid"], named(all, "read")["pid"]);
}

TEST_F(TraceTest, TellsHowLongTheDevicesTookToOpen)
{
    const json all = events({});
    const json prepare = named(all, "prepare");
    const json open = named(all, "open");
    EXPECT_NEAR(open["dur"].get<double>(), 1000, 1e-3);
    EXPECT_EQ(prepare["ts"], 0);
    EXPECT_NEAR(open["ts"].get<double>(), prepare["dur"].get<double>(), 1e-3);
    EXPECT_EQ(track_of(all, open), "main");
}

TEST_F(TraceTest, HasTimesInMicrosecondsAndTheItem)
{
    const json all = events({{"device", "rows", 6, 9}});
    const json rows = named(all, "rows");
    EXPECT_EQ(rows["ph"], "X");
    EXPECT_NEAR(rows["dur"].get<double>(), 3000, 1e-3);
    EXPECT_EQ(rows["args"]["item"], 7);
    EXPECT_EQ(rows["args"]["input"], "in/\"a\".png");
}

TEST_F(TraceTest, NamesThePassesPrograms)
{
    const json all = events({{"device", "upload", 5, 6}, {"device", "rows", 6, 9, "rows-64-8.8-u8x3"}});
    EXPECT_EQ(named(all, "rows")["args"]["program"], "rows-64-8.8-u8x3");
    EXPECT_FALSE(named(all, "upload")["args"].contains("program"));
}

TEST_F(TraceTest, PutsWhatOverlapsOnTracksOfItsOwn)
{
    const json all = events({{"device", "rows", 0, 5}, {"device", "columns", 4, 8}, {"device", "rows back", 8, 9}});
    EXPECT_EQ(track_of(all, named(all, "rows")), "passes");
    EXPECT_EQ(track_of(all, named(all, "columns")), "passes (2)");
    EXPECT_EQ(track_of(all, named(all, "rows back")), "passes");
}

TEST_F(TraceTest, HasAProcessForEachDevice)
{
    const auto process = [&](std::size_t device) {
        return named(events({{"device", "rows", 6, 9}}, device), "rows")["pid"];
    };
    EXPECT_EQ(process(1), process(0).get<int>() + 1);
}

TEST_F(TraceTest, ThatCannotBeOpenedIsNamed)
{
    EXPECT_THROW(Trace(folder_, [](int) {}), InvalidProblem);
}

TEST(ProgressLines, SayHowFarTheRunIsAgainAndAgain)
{
    std::mutex mutex;
    std::vector<std::string> lines;
    std::condition_variable changed;
    ProgressLines progress(
        [&](const std::string& text) {
            const std::lock_guard lock(mutex);
            lines.push_back(text);
            changed.notify_all();
        },
        1ms);
    RunInfo run;
    run.items.resize(4);
    ItemResult done;
    done.status = ItemStatus::done;
    progress.run_started(run);
    progress.item_finished(run.items[0], done);
    std::unique_lock lock(mutex);
    // Lines from before the item was finished may come first, on a busy machine several.
    const auto says_both = [](const std::string& line) {
        return line.find("1/4") != std::string::npos && line.find("images/s") != std::string::npos;
    };
    EXPECT_TRUE(changed.wait_for(lock, 30s, [&] { return lines.size() >= 3 && says_both(lines.back()); }));
}

TEST(ProgressLines, EndAtOnceWithTheRun)
{
    const Clock::time_point start = Clock::now();
    {
        ProgressLines progress([](const std::string&) { FAIL(); }, 1h);
        progress.run_started({});
        progress.run_finished({});
    }
    EXPECT_LT(Clock::now() - start, 30s);
}

}  // namespace
}  // namespace clconv
