#include "tune/report.h"

#include "plan/devices.h"

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
