// SPDX-License-Identifier: Apache-2.0
#include "tune/report.h"

#include "plan/devices.h"
#include "tune/sweep.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace clconv::test {
namespace {

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
    EXPECT_EQ(headline(found), "chosen: method=fft: 1.5000 ms, 0.75 times the 2.0000 ms of the planner's own plan");
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

}  // namespace
}  // namespace clconv::test
