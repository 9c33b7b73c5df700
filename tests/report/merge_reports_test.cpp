// SPDX-License-Identifier: Apache-2.0
#include "report/merge_reports.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace clconv {
namespace {

const std::set<std::string, std::less<>> kWithoutEffect = {"--device", "--jobs", "--report", "--shard"};

using nlohmann::ordered_json;
using testing::AllOf;
using testing::HasSubstr;

/// The report of one of `count` shards of seven items, all done.
ordered_json report(std::size_t index, std::size_t count)
{
    ordered_json items = ordered_json::array();
    for (std::size_t i = index; i < 7; i += count) items.push_back({{"index", i}, {"status", "done"}});
    return {{"version", "1.2.3"},
            {"options", {{"--border", "clamp"}, {"--shard", std::to_string(index)}, {"--jobs", std::to_string(index)}}},
            {"shard", {{"index", index}, {"count", count}, {"items", 7}, {"list", "abc"}}},
            {"device", {{"name", "a device"}}},
            {"exit_code", 0},
            {"signal", nullptr},
            {"error", nullptr},
            {"wall_seconds", 1.0 + static_cast<double>(index)},
            {"counts", {{"total", items.size()}}},
            {"stages", {{"read", 0.5}, {"write", 1.0}}},
            {"items", items}};
}

std::vector<NamedReport> named(const std::vector<ordered_json>& reports)
{
    std::vector<NamedReport> files;
    for (const ordered_json& value : reports)
        files.push_back({std::string(1, static_cast<char>('a' + files.size())) + ".json", value.dump()});
    return files;
}

std::string refusal(const std::vector<NamedReport>& files)
{
    try {
        (void)merged_report(files, kWithoutEffect);
    } catch (const InputError& error) {
        return error.what();
    }
    ADD_FAILURE() << "was merged";
    return {};
}

TEST(MergeReports, PutsTheItemsOfAllShardsInTheirOrderWhateverTheOrderOfTheFiles)
{
    const ordered_json merged = merged_report(named({report(2, 3), report(0, 3), report(1, 3)}), kWithoutEffect);
    ASSERT_EQ(merged["items"].size(), 7U);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(merged["items"][i]["index"], i);
    EXPECT_EQ(merged["counts"]["done"], 7);
    EXPECT_EQ(merged["stages"]["write"], 3.0);
    EXPECT_EQ(merged["wall_seconds"], 3.0) << "the longest";
    EXPECT_EQ(merged["shards"].size(), 3U);
    EXPECT_EQ(merged["options"], (ordered_json{{"--border", "clamp"}}));
    EXPECT_EQ(merged["device"]["name"], "a device") << "that of each shard";
}

TEST(MergeReports, OfOneWholeRunIsThatRun)
{
    EXPECT_EQ(merged_report(named({report(0, 1)}), kWithoutEffect)["items"].size(), 7U);
}

TEST(MergeReports, CanBeMergedAgain)
{
    const ordered_json merged = merged_report(named({report(0, 2), report(1, 2)}), kWithoutEffect);
    EXPECT_EQ(merged_report(named({merged}), kWithoutEffect)["items"], merged["items"]);
}

TEST(MergeReports, NamesTheMissingShards)
{
    EXPECT_THAT(refusal(named({report(1, 4), report(3, 4)})), AllOf(HasSubstr("0/4"), HasSubstr("2/4")));
}

TEST(MergeReports, NamesBothReportsOfOneShard)
{
    EXPECT_THAT(refusal(named({report(0, 2), report(1, 2), report(1, 2)})),
                AllOf(HasSubstr("b.json"), HasSubstr("c.json"), HasSubstr("1/2")));
}

TEST(MergeReports, NamesWhatDiffers)
{
    const auto with = [](const char* field, const ordered_json& value) {
        ordered_json changed = report(1, 2);
        changed[ordered_json::json_pointer(field)] = value;
        return named({report(0, 2), changed});
    };
    EXPECT_THAT(refusal(with("/version", "1.2.4")), AllOf(HasSubstr("version"), HasSubstr("1.2.4")));
    EXPECT_THAT(refusal(with("/options/--border", "zero")),
                AllOf(HasSubstr("--border"), HasSubstr("clamp"), HasSubstr("zero")));
    EXPECT_THAT(refusal(with("/options/--correlate", "true")), AllOf(HasSubstr("--correlate"), HasSubstr("not given")));
    EXPECT_THAT(refusal(with("/shard/count", 3)), HasSubstr("number of shards"));
    EXPECT_THAT(refusal(with("/shard/items", 8)), HasSubstr("number of items"));
    EXPECT_THAT(refusal(with("/shard/list", "abd")), HasSubstr("names"));
}

TEST(MergeReports, LetsMachinesDiffer)
{
    ordered_json other = report(1, 2);
    other["options"]["--device"] = "gpu";
    other["device"]["name"] = "another";
    const ordered_json merged = merged_report(named({report(0, 2), other}), kWithoutEffect);
    EXPECT_TRUE(merged["device"].is_null());
    EXPECT_EQ(merged["shards"][1]["device"]["name"], "another");
}

TEST(MergeReports, NamesAnItemThatLacks)
{
    ordered_json holed = report(1, 2);
    holed["items"].erase(1);
    EXPECT_THAT(refusal(named({report(0, 2), holed})), AllOf(HasSubstr("b.json"), HasSubstr("item 3")));
    ordered_json cut = report(1, 2);
    cut["items"].erase(2);
    EXPECT_THAT(refusal(named({report(0, 2), cut})), AllOf(HasSubstr("b.json"), HasSubstr("item 5")));
}

TEST(MergeReports, CountsWhatFailedAndKeepsTheWorstExitCode)
{
    ordered_json whole = report(0, 2);
    ordered_json bad = report(1, 2);
    bad["items"][0]["status"] = "failed";
    bad["items"][1]["status"] = "not_started";
    for (const std::size_t item : {0, 1, 2}) whole["items"][item]["status"] = "skipped";
    bad["exit_code"] = 143;
    const ordered_json merged = merged_report(named({whole, bad}), kWithoutEffect);
    EXPECT_EQ(merged["counts"]["done"], 2);
    EXPECT_EQ(merged["counts"]["failed"], 1);
    EXPECT_EQ(merged["counts"]["skipped"], 3);
    EXPECT_EQ(merged["counts"]["not_started"], 1);
    EXPECT_EQ(merged["exit_code"], 143);
}

TEST(MergeReports, RefusesWhatIsNoReport)
{
    for (const char* text : {"", "{", "[]", "{}", "3", R"({"shard": 3})", R"({"shard": {"list": "a"}})"})
        EXPECT_THAT(refusal({{"x.json", text}}), HasSubstr("x.json")) << text;
    ordered_json early = report(0, 1);
    early["shard"]["list"] = nullptr;
    early["error"] = "out/a.png exists";
    EXPECT_THAT(refusal(named({early})), HasSubstr("out/a.png exists"));
}

TEST(MergeReports, NumbersOfShardsThatAreNoneAreRefused)
{
    for (const char* field : {"index", "count", "items"})
        for (const ordered_json& number :
             {ordered_json(-1), ordered_json(1e300), ordered_json(2147483648U), ordered_json("1")}) {
            ordered_json wrong = report(0, 1);
            wrong["shard"][field] = number;
            EXPECT_THAT(refusal(named({wrong})), HasSubstr("a.json")) << field << " " << number;
        }
}

TEST(MergeReports, AMillionBracketsAreRefusedBeforeTheyUseUpTheStack)
{
    const std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
    std::string text = report(0, 1).dump();
    text.replace(text.find("\"1.2.3\""), 7, deep);
    EXPECT_THAT(refusal({{"x.json", text}}), HasSubstr("x.json: is nested more than 100 deep"));
}

}  // namespace
}  // namespace clconv
