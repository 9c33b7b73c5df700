// SPDX-License-Identifier: Apache-2.0
#include "tune/report.h"

#include "fft/factorize.h"
#include "plan/devices.h"
#include "tune/pass_chart.h"
#include "tune/sweep.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace clconv::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Plan planned(std::optional<Method> method)
{
    Decisions decisions;
    decisions.method = method;
    return make_plan({.image = {64, 48}, .psf = {5, 5}, .origin = {2, 2}}, kCpu, decisions);
}

TriedPlan tried(std::string question, Answer decisions, const Plan& plan, double ms)
{
    return {std::move(question), std::move(decisions), describe_work(plan), {{ms, ms, 0}, 3}};
}

/// Two channels, by lines that work-groups share.
Plan planned_for_two(const std::vector<std::string>& decisions)
{
    Decisions forced;
    for (const std::string& decision : decisions) decide(forced, decision);
    forced.method = Method::fft;
    return make_plan({.image = {64, 48}, .channels = 2, .psf = {5, 5}, .origin = {2, 2}}, kNvidia, forced);
}

TEST(MovedBytes, OfTwoChannelsThatShareLinesCountEachSpectrumOnce)
{
    /// All spectra's values a row, and the values a row of the transfer: each is written and read twice, or read once.
    const auto expect = [](const Plan& plan, std::uint64_t spectra, std::uint64_t transfer, std::uint64_t between) {
        const std::uint64_t samples = 2ull * 2 * 64 * 48 * sizeof(float), rows = 48, length = plan.fft().y.length;
        EXPECT_EQ(moved_bytes(plan), samples + 8 * (4 * spectra * rows + (transfer + between) * length))
            << describe(plan);
    };
    const auto half = [](const Plan& plan) { return static_cast<std::uint64_t>(plan.fft().x.length / 2 + 1); };
    const Plan rows = planned_for_two({});
    expect(rows, 2 * half(rows), half(rows), 0);
    const Plan channels = planned_for_two({"packing=channels"});
    expect(channels, 2 * half(channels), 2 * half(channels), 0);
    const Plan gray = planned_for_two({"product=gray"});
    const std::uint64_t line = gray.fft().x.length;
    expect(gray, line, line, 0);
    const Plan integrated = planned_for_two({"product=integrated"});
    const std::uint64_t own_line = integrated.fft().x.length;
    expect(integrated, own_line, own_line, 4 * own_line);  // between three launches: written, read, written, read
}

TEST(MovedBytes, OfLinesInGlobalMemoryAreTwiceAsManyInDouble)
{
    const auto bytes = [](Precision precision, SampleType samples) {
        Decisions forced;
        forced.method = Method::fft;
        forced.residence = Residence::global;
        return moved_bytes(make_plan({.image = {64, 48},
                                      .input = samples,
                                      .output = samples,
                                      .psf = {5, 5},
                                      .origin = {2, 2},
                                      .precision = precision},
                                     kNvidia, forced));
    };
    EXPECT_EQ(bytes(Precision::float64, SampleType::float64), 2 * bytes(Precision::float32, SampleType::float32));
}

TEST(TuneReport, ShowsThePlannersPlanAsChosenIfAFasterOneLostTheLastComparison)
{
    const Plan own = planned(std::nullopt);
    const Plan other = planned(Method::fft);
    ASSERT_NE(describe_work(own), describe_work(other));
    SearchResult found;
    found.plan = own;
    found.ms = found.heuristic_ms = 2;
    found.attempts = {tried("method", {}, own, 3), tried("method", {"method=fft"}, other, 1)};
    found.finalists = {tried("last comparison", {}, own, 2), tried("last comparison", {"method=fft"}, other, 1.99)};

    const std::vector<TriedPlan> best = best_attempts(found);
    ASSERT_EQ(best.size(), 2u);
    EXPECT_EQ(best[0].standing.ms.median, 1.99) << "not the 1 ms of an earlier comparison";
    EXPECT_FALSE(is_chosen(found, best[0]));
    EXPECT_EQ(best[1].standing.ms.median, found.ms);
    EXPECT_TRUE(is_chosen(found, best[1]));
    EXPECT_TRUE(headline(found).starts_with("chosen: as planned: 2.0000 ms, ")) << headline(found);
}

TEST(TuneReport, SaysHowMuchFasterAChosenPlanIs)
{
    SearchResult found;
    found.plan = planned(Method::fft);
    found.decisions = {"method=fft"};
    found.ms = 1.5;
    found.heuristic_ms = 2;
    const std::string headline_of_own =
        "chosen: method=fft: 1.5000 ms, 0.75 times the 2.0000 ms of the planner's own plan";
    EXPECT_EQ(headline(found), headline_of_own);
    found.in_use = tried("known plans", {"row-lines=1"}, found.plan, 1.6);
    EXPECT_EQ(headline(found), headline_of_own + ", and 0.94 times the 1.6000 ms of the plan in use before");
    found.in_use = tried("known plans", {"method=fft"}, found.plan, 1.5);
    EXPECT_EQ(headline(found), headline_of_own + "; it was in use already");
}

TEST(TuneReport, TablesHaveThePlannersPlanHoweverManyAreFaster)
{
    TuneReport report;
    report.tuned.resize(1);
    SearchResult& found = report.tuned.front().found;
    found.plan = planned(Method::fft);
    found.decisions = {"tile-columns=1"};
    for (int i = 1; i <= 20; ++i) {
        TriedPlan faster = tried("tile-columns", {fmt::format("tile-columns={}", i)}, found.plan, i);
        faster.plan += std::to_string(i);
        found.attempts.push_back(faster);
    }
    found.attempts.push_back(tried("method", {}, planned(std::nullopt), 30));
    const std::string table = tune_table(report, false);
    EXPECT_NE(table.find("\n  as planned "), std::string::npos) << table;
    EXPECT_NE(table.find("\n  tile-columns=8 "), std::string::npos) << table;
    EXPECT_EQ(table.find("\n  tile-columns=9 "), std::string::npos) << table;
}

TEST(TunePage, EveryColumnHasAHeadingAndTextsAreAlignedLeft)
{
    TuneReport report;
    report.copy_gb_s = 1;
    report.tuned.resize(1);
    SearchResult& found = report.tuned.front().found;
    found.plan = planned(Method::fft);
    found.attempts = {tried("method", {"method=fft"}, found.plan, 1.5)};
    const std::string page = tune_page(report);
    EXPECT_THAT(page, Not(HasSubstr("<button type=\"button\"></button>")));
    EXPECT_THAT(page, HasSubstr("<table class=\"text-2 text-3\">"));
}

/// Takes `ns` a line of each of so many lines.
PassRecord measured(PassKind kind, std::vector<int> radices, double lines, double ns,
                    SampleType samples = SampleType::u8)
{
    PassRecord record;
    record.pass.kind = kind;
    record.pass.radices = std::move(radices);
    record.pass.items = 16;
    if (kind != PassKind::columns) record.pass.samples = samples;
    record.filled = line_length(record.pass.radices);
    record.points = {{lines, lines * ns}};
    return record;
}

PassSet a_set_of(std::vector<PassRecord> passes)
{
    PassSet set;
    set.key.device = "A GPU";
    set.passes = std::move(passes);
    return set;
}

std::ptrdiff_t count_of(const std::string& text, const std::string& part)
{
    std::ptrdiff_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST(PassLines, TheBestIsAmongThoseOfTheSameSamplesAndAboutAsManyLines)
{
    const std::vector<PassLine> lines = pass_lines(a_set_of({
        measured(PassKind::rows, {8, 8}, 90, 1),  // from the cache: few lines
        measured(PassKind::rows, {4, 16}, 1000, 3),
        measured(PassKind::rows, {16, 4}, 900, 2),
        measured(PassKind::rows, {8, 8}, 1000, 5, SampleType::float32),
        measured(PassKind::rows, {8, 4}, 50, 7),
    }));
    std::vector<std::string> words;
    for (const PassLine& line : lines)
        words.push_back(fmt::format("{} {} {}{}", line.samples, line.length, line.radices,
                                    line.best ? " best" : (line.few ? " few" : "")));
    EXPECT_THAT(words, ElementsAre("float planar 64 8.8 best", "u8 planar 32 8.4 best", "u8 planar 64 16.4 best",
                                   "u8 planar 64 4.16", "u8 planar 64 8.8 few"));
}

TEST(PassCharts, AreOneForEachKindOfSamplesWithAPanelForEachKindOfPass)
{
    const std::vector<PassLine> lines = pass_lines(a_set_of({
        measured(PassKind::rows, {8, 8}, 1000, 3), measured(PassKind::rows, {16, 4}, 1000, 2),
        measured(PassKind::rows, {8, 8}, 1000, 5, SampleType::float32), measured(PassKind::columns, {8, 9}, 1000, 2),
        measured(PassKind::rows_back, {16, 9}, 1000, 2), measured(PassKind::rows_back, {2, 8, 9}, 10, 2),  // few
    }));
    const std::string charts = pass_charts(lines, 0);
    EXPECT_EQ(count_of(charts, "<svg"), 2);
    EXPECT_THAT(charts, HasSubstr("<h3>float planar</h3>"));
    EXPECT_THAT(charts, HasSubstr("<h3>u8 planar</h3>"));
    EXPECT_EQ(count_of(charts, ">columns</text>"), 2) << "columns are the same for all samples";
    EXPECT_EQ(count_of(charts, ">rows back</text>"), 1);
    EXPECT_EQ(count_of(charts, "<circle"), 2 + 1 + 2 * 1 + 1) << "without those of few lines";
    EXPECT_EQ(count_of(charts, "<polyline"), 5);
    EXPECT_THAT(charts, HasSubstr("<title>64 = 16.4: "));
    EXPECT_THAT(charts, HasSubstr(">16.4</text>")) << "the best has its radices";
    EXPECT_THAT(charts, Not(HasSubstr("copies")));
    EXPECT_EQ(count_of(pass_charts(lines, 150), ">copies 150 GB/s</text>"), 5);
    EXPECT_TRUE(pass_charts({}, 150).empty());
}

TEST(PassCharts, HigherIsFasterAndFurtherRightIsLonger)
{
    const std::string chart = pass_charts(pass_lines(a_set_of({
                                              measured(PassKind::columns, {8, 8}, 1000, 10),
                                              measured(PassKind::columns, {16, 16}, 1000, 20),
                                          })),
                                          0);
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    const std::size_t at = chart.find("points=\"");
    ASSERT_NE(at, std::string::npos);
    ASSERT_EQ(std::sscanf(chart.c_str() + at, "points=\"%lf,%lf %lf,%lf", &x0, &y0, &x1, &y1), 4);
    EXPECT_LT(x0, x1);
    EXPECT_GT(y0, y1) << "256 moves twice the bytes of 64 in a given time";
}

TEST(RecordsPage, ShowsOwnAndShippedOnes)
{
    Record record;
    record.key.problem = "1x1";
    record.key.device = "<GPU>";
    record.ms = 1.5;
    record.heuristic_ms = 2;
    const PassSet set = a_set_of({measured(PassKind::columns, {8, 9}, 1000, 2)});
    const std::string page = records_page({{record}, {}}, {{}, {set}});
    EXPECT_THAT(page, HasSubstr("<p>1 plans, kept here</p>"));
    EXPECT_THAT(page, HasSubstr("<td>&lt;GPU&gt;</td><td>1.5000</td><td>2.0000</td><td>0.75</td>"));
    EXPECT_THAT(page, HasSubstr("<h2>Passes of A GPU</h2>\n<p>1 passes, part of clconv; "));
    EXPECT_EQ(count_of(page, "<svg"), 1);
}

}  // namespace
}  // namespace clconv::test
