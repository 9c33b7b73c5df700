// SPDX-License-Identifier: Apache-2.0
#include "report/run_page.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace clconv {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

ordered_json item(std::size_t index, const std::string& plan)
{
    return {{"index", index},
            {"input", "in/" + std::to_string(index) + ".png"},
            {"status", "done"},
            {"error", nullptr},
            {"warnings", {"is odd"}},
            {"warning_details", {{{"kind", "tags"}, {"message", "is odd"}}}},
            {"plan", plan}};
}

ordered_json report_of_three()
{
    return {{"command", {"clconv", "bloom", "in"}},
            {"counts", {{"total", 4U}, {"done", 3U}, {"failed", 1U}, {"skipped", 0U}}},
            {"items", {item(0, "plan A"), item(1, "plan B"), item(2, "plan A")}}};
}

/// The JSON in a page's element.
ordered_json embedded(const std::string& page, const std::string& id)
{
    const std::string begin = "id=\"" + id + "\">";
    const std::size_t first = page.find(begin) + begin.size();
    return ordered_json::parse(page.substr(first, page.find("</script>", first) - first));
}

std::string refusal(const std::string& text)
{
    try {
        (void)parsed_report("run.json", text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(RunPage, SaysInItsTitleAndHeadingWhatWasDone)
{
    const std::string page = report_page(report_of_three(), {});
    EXPECT_THAT(page, HasSubstr("<title>clconv bloom: 3 of 4 images done, 1 failed</title>"));
    EXPECT_THAT(page, HasSubstr("<h1>3 of 4 images done, 1 failed</h1>"));
}

TEST(RunPage, OfShardsHasTheCommandOfTheFirst)
{
    ordered_json report = report_of_three();
    report["shards"] = ordered_json::array({{{"command", report["command"]}}});
    report["command"] = nullptr;
    EXPECT_THAT(report_page(report, {}), HasSubstr("<title>clconv bloom: "));
}

TEST(RunPage, SaysThatTheRunEndedEarly)
{
    ordered_json report = report_of_three();
    report["error"] = "the device is gone";
    EXPECT_THAT(report_page(report, {}), HasSubstr("<h1>3 of 4 images done, 1 failed; the run ended early</h1>"));
    report["counts"]["total"] = 0U;
    EXPECT_THAT(report_page(report, {}), HasSubstr("<h1>The run ended before its first image</h1>"));
}

TEST(RunPage, HoldsTheReportWithEachPlanAndEachWarningOnce)
{
    const std::string page = report_page(report_of_three(), {});
    const ordered_json report = embedded(page, "report");
    EXPECT_EQ(report["counts"], report_of_three()["counts"]);
    EXPECT_EQ(report["plans"], (ordered_json{"plan A", "plan B"}));
    EXPECT_EQ(report["items"][2]["plan"], 0);
    EXPECT_EQ(report["items"][1]["plan"], 1);
    EXPECT_FALSE(report["items"][0].contains("warnings"));
    EXPECT_FALSE(report["items"][0].contains("error"));
    EXPECT_EQ(report["items"][0]["warning_details"], report_of_three()["items"][0]["warning_details"]);
}

TEST(RunPage, HoldsNamesThatAreNoTextAsText)
{
    ordered_json report = report_of_three();
    report["items"][0]["input"] = "\xff</script><script>alert(1)</script>";
    report["command"][1] = "<b>";
    const std::string page = report_page(report, {});
    EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(page, HasSubstr("clconv &lt;b&gt;"));
    EXPECT_EQ(embedded(page, "report")["items"][0]["input"], "\xef\xbf\xbd</script><script>alert(1)</script>");
}

TEST(RunPage, HoldsPictures)
{
    PageGallery gallery;
    gallery.pictures.push_back({2, {{"data:image/jpeg;base64,abc", 3, 2}}, {}, 5, 6, 0.25, 0.5});
    gallery.missing = 7;
    const ordered_json held = embedded(report_page(report_of_three(), gallery), "gallery");
    EXPECT_EQ(held["missing"], 7);
    EXPECT_EQ(held["pictures"][0]["entry"], 2);
    EXPECT_EQ(held["pictures"][0]["whole"][0],
              (ordered_json{{"uri", "data:image/jpeg;base64,abc"}, {"width", 3}, {"height", 2}}));
    for (const auto& [name, value] :
         {std::pair{"x", 5.0}, std::pair{"y", 6.0}, std::pair{"from", 0.25}, std::pair{"to", 0.5}})
        EXPECT_EQ(held["pictures"][0][name], value) << name;
}

TEST(ParsedReport, KnowsARunFromAComparison)
{
    EXPECT_EQ(kind_of_report(parsed_report("a", R"({"items": [], "counts": {}})")), ReportKind::run);
    const ordered_json comparison = parsed_report("a", R"({"pairs": [{"within": true}, {"within": 3}]})");
    EXPECT_EQ(kind_of_report(comparison), ReportKind::comparison);
    EXPECT_THAT(report_page(comparison, {}), HasSubstr("<h1>1 of 2 pairs within tolerances</h1>"));
}

TEST(ParsedReport, OfAComparisonWithoutTolerancesIsWithinNone)
{
    const ordered_json comparison = parsed_report("a", R"({"tolerances": {}, "pairs": [{"within": true}]})");
    EXPECT_THAT(report_page(comparison, {}), HasSubstr("<h1>1 of 1 pairs compared, without tolerances</h1>"));
}

TEST(ParsedReport, RefusesWhatIsNone)
{
    for (const char* text : {"[", "[]", "3", "null", "{}", R"({"items": []})", R"({"items": [3], "counts": {}})",
                             R"({"pairs": {}})", R"({"pairs": [null]})"})
        EXPECT_THAT(refusal(text), HasSubstr("run.json: is not ")) << text;
    EXPECT_THAT(refusal(std::string(1000, '[')), HasSubstr("nested"));
}

TEST(ParsedReport, MayHoldAnyValuesWhereAPageExpectsOthers)
{
    const char* text = R"({"items": [{"plan": 7, "status": [], "warning_details": 1, "warnings": {}, "input": null}],
                           "counts": {"total": -1, "done": "x"}, "command": [1, 2], "shards": 5, "pairs": 4})";
    ordered_json report = parsed_report("a", text);
    report.erase("pairs");
    EXPECT_THAT(report_page(report, {}), HasSubstr("<h1>0 of 0 images done</h1>"));
}

}  // namespace
}  // namespace clconv
