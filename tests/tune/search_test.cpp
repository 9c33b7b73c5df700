// SPDX-License-Identifier: Apache-2.0
// The search in an arena whose costs are known: no device, no clock.

#include "tune/search.h"

#include "base/errors.h"
#include "plan_records/records_tools.h"
#include "plan_records/store.h"
#include "support/repetitions.h"
#include "tune/tuner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <string>

namespace clconv::test {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// What plans cost, and what is wrong with them, as functions of the plan; each build takes a second.
class FakeArena final : public Arena {
public:
    std::function<double(const Plan&)> cost = [](const Plan&) { return 10.0; };
    std::function<std::string(const Plan&)> complaint = [](const Plan&) { return ""; };
    double now = 0;
    int built = 0;

    std::vector<std::string> enter(const std::vector<Plan>& plans,
                                   const std::function<bool(std::size_t)>& out_of_time) override
    {
        plans_ = plans;
        std::vector<std::string> complaints;
        for (const Plan& plan : plans) {
            if (out_of_time(complaints.size())) {
                complaints.emplace_back(kOutOfTime);
                continue;
            }
            now += 1;
            ++built;
            complaints.push_back(complaint(plan));
        }
        return complaints;
    }
    double sample(std::size_t candidate) override { return cost(plans_.at(candidate)); }
    std::size_t capacity(const Plan& /*plan*/) override { return 64; }

private:
    std::vector<Plan> plans_;
};

Decisions with_fft()
{
    Decisions decisions;
    decisions.method = Method::fft;
    return decisions;
}

SearchResult searched(FakeArena& arena, double budget_s = 1e6, const Decisions& forced = {})
{
    return search(kPhoto, kDevice.traits, arena,
                  {.forced = forced, .budget_s = budget_s, .now_s = [&arena] { return arena.now; }});
}

/// The planner's own choice, whatever it is today.
const Plan& planned()
{
    static const Plan plan = make_plan(kPhoto, kDevice.traits, with_fft());
    return plan;
}

bool has_other_lines(const Plan& plan) { return plan.is_fft() && plan.fft().rows.lines != planned().fft().rows.lines; }

TEST(Search, WhereEverythingIsEqualThePlannerIsRight)
{
    FakeArena arena;
    const SearchResult found = searched(arena);
    EXPECT_THAT(found.decisions, IsEmpty());
    EXPECT_EQ(found.ms, 10);
    EXPECT_TRUE(found.finished);
    EXPECT_GT(found.attempts.size(), 20u);
}

TEST(Search, CombinesTheBestAnswersOfSeveralQuestions)
{
    FakeArena arena;
    arena.cost = [](const Plan& plan) {
        if (!plan.is_fft()) return 99.0;
        return 10.0 - 2 * (plan.fft().columns.radices != planned().fft().columns.radices) - 2 * has_other_lines(plan);
    };
    const SearchResult found = searched(arena);
    EXPECT_NE(found.plan.fft().columns.radices, planned().fft().columns.radices);
    EXPECT_TRUE(has_other_lines(found.plan));
    EXPECT_EQ(found.ms, 6);
    EXPECT_EQ(found.heuristic_ms, 10);
}

TEST(Search, ImagesThatTakeASecondCompeteFewAtATimeSoThatTheBudgetHolds)
{
    FakeArena arena;
    arena.cost = [&arena](const Plan& /*plan*/) {
        arena.now += 1;
        return 1000.0;
    };
    constexpr double budget_s = 120;
    EXPECT_FALSE(searched(arena, budget_s).finished);
    EXPECT_LT(arena.now, 1.1 * budget_s);
}

TEST(Search, AWrongCandidateIsADefectAndNeverChosen)
{
    FakeArena arena;
    arena.cost = [](const Plan& plan) { return has_other_lines(plan) ? 1.0 : 10.0; };
    arena.complaint = [](const Plan& plan) { return has_other_lines(plan) ? "computes wrongly" : ""; };
    const SearchResult found = searched(arena);
    EXPECT_FALSE(has_other_lines(found.plan));
    EXPECT_EQ(found.ms, 10);
    EXPECT_THAT(found.defects, Contains(Field(&Defect::what, HasSubstr("wrongly"))));
    for (const TriedPlan& attempt : found.attempts) EXPECT_NE(attempt.standing.ms.median, 1);
}

TEST(Search, TheBudgetHolds)
{
    FakeArena arena;
    const SearchResult found = searched(arena, 20);
    EXPECT_FALSE(found.finished);
    EXPECT_LE(arena.now, 20 + 2) << "what is under way is finished, and a second opinion asked";
}

TEST(Search, TheBudgetHoldsWhereManyCompeteAtATime)
{
    FakeArena arena;
    arena.cost = [&arena](const Plan& /*plan*/) {
        arena.now += 0.05;
        return 50.0;
    };
    constexpr double budget_s = 60;
    (void)search(kPhoto, kDevice.traits, arena,
                 {.budget_s = budget_s, .now_s = [&arena] { return arena.now; }, .heat = 18});
    EXPECT_LT(arena.now, 1.1 * budget_s);
}

TEST(Search, ComesToTheSameAnswerHoweverManyCompeteAtATime)
{
    const auto cost = [](const Plan& plan) {
        if (!plan.is_fft()) return 99.0;
        return 10.0 - 2 * (plan.fft().columns.radices != planned().fft().columns.radices) - 2 * has_other_lines(plan);
    };
    std::vector<std::size_t> heats{6, 2, 18, 64};
    heats.resize(static_cast<std::size_t>(repetitions(4)));
    for (const std::size_t heat : heats) {
        FakeArena arena;
        arena.cost = cost;
        const SearchResult found = search(kPhoto, kDevice.traits, arena,
                                          {.budget_s = 1e6, .now_s = [&arena] { return arena.now; }, .heat = heat});
        EXPECT_EQ(found.ms, 6) << heat;
    }
}

TEST(Search, WhatIsForcedStays)
{
    FakeArena arena;
    Decisions forced = with_fft();
    forced.rows.lines = planned().fft().rows.lines;
    arena.cost = [](const Plan& plan) { return has_other_lines(plan) ? 1.0 : 10.0; };
    const SearchResult found = searched(arena, 1e6, forced);
    EXPECT_FALSE(has_other_lines(found.plan));
    EXPECT_THAT(found.rejections, Contains(Field(&Rejection::constraint, "forced")));
}

TEST(Search, AWinnerThatLosesTheSecondOpinionIsNotChosen)
{
    FakeArena arena;
    // Fast while others compete, slow in the end.
    int entered = 0;
    arena.cost = [&](const Plan& plan) { return has_other_lines(plan) ? 5.0 : 10.0; };
    SearchSettings settings{.budget_s = 1e6, .now_s = [&arena] { return arena.now; }};
    arena.complaint = [&](const Plan&) {
        ++entered;
        return "";
    };
    const SearchResult first = search(kPhoto, kDevice.traits, arena, settings);
    ASSERT_FALSE(first.decisions.empty());
    const int last = entered;
    entered = 0;
    arena.cost = [&](const Plan& plan) { return has_other_lines(plan) && entered < last ? 5.0 : 10.0; };
    EXPECT_THAT(search(kPhoto, kDevice.traits, arena, settings).decisions, IsEmpty());
}

TEST(Search, APlannersPlanThatIsWrongIsOurMistake)
{
    FakeArena arena;
    arena.complaint = [](const Plan&) { return "computes wrongly"; };
    EXPECT_THROW((void)searched(arena), DeviceError);
}

TEST(Candidates, RadixSequencesMakeLinesThatAreLongEnoughAndNotMuchLonger)
{
    for (const int minimum : {2, 17, 511, 1055, 4103}) {
        const auto sequences = radix_sequences({.minimum = minimum}, Residence::local, false);
        EXPECT_FALSE(sequences.empty()) << minimum;
        for (const auto& radices : sequences) {
            const int length = std::accumulate(radices.begin(), radices.end(), 1, std::multiplies<>());
            EXPECT_GE(length, minimum);
            EXPECT_LE(length, minimum * 1.1 + 1);
        }
    }
}

TEST(Candidates, EveryAnswerIsOneThatDecideTakes)
{
    for (const Question& question : questions(kPhoto, kDevice.traits))
        for (const Answer& answer : question.answers)
            for (const std::string& decision : answer) {
                Decisions decisions;
                EXPECT_NO_THROW(decide(decisions, decision)) << question.name;
            }
}

TEST(Candidates, ColumnsInPartsArePlans)
{
    Problem tall = kPhoto;
    tall.image = {500, 7000};
    int parts = 0;
    for (const Question& question : questions(tall, kDevice.traits))
        for (const Answer& answer : question.answers) {
            if (!answer.front().starts_with("column-parts=")) continue;
            const Checked candidate = checked(tall, kDevice.traits, {}, answer);
            if (candidate.plan) parts = std::max(parts, candidate.plan->fft().y.parts);
        }
    EXPECT_GT(parts, 4);
}

TEST(Candidates, WhatCannotRunIsRejectedByName)
{
    const auto constraint = [](const Answer& answer) {
        return checked(kPhoto, kDevice.traits, {}, answer).rejection.constraint;
    };
    EXPECT_EQ(constraint({}), "");
    EXPECT_EQ(constraint({"method=direct"}), "taps");
    EXPECT_EQ(constraint({"column-lines=3"}), "plan");
    EXPECT_EQ(constraint({"row-items=4096"}), "plan");
    EXPECT_EQ(constraint({"row-radices=64.12"}), "work-group");
}

TEST(Candidates, AnAnswerTakesThePlaceOfAnEarlierOne)
{
    EXPECT_EQ(combined({"row-lines=1", "tile-columns=4"}, {"row-lines=2"}), (Answer{"tile-columns=4", "row-lines=2"}));
}

TEST(Search, ComparesOnceHoweverShortTheTime)
{
    FakeArena arena;
    const SearchResult found = searched(arena, 1e-3);
    EXPECT_FALSE(found.finished);
    EXPECT_EQ(found.attempts.size(), 2U);
    EXPECT_FALSE(found.finalists.empty());
}

TEST(Search, TriesNoMoreCandidatesThanAllowed)
{
    for (const std::size_t candidates : {1U, 3U, 11U}) {
        FakeArena arena;
        const SearchSettings settings{
            .budget_s = 1e6, .now_s = [&arena] { return arena.now; }, .candidates = candidates};
        const SearchResult found = search(kPhoto, kDevice.traits, arena, settings);
        EXPECT_FALSE(found.finished);
        std::set<std::string> plans;
        for (const TriedPlan& attempt : found.attempts) plans.insert(attempt.plan);
        EXPECT_EQ(plans.size(), candidates + 1) << "and the planner's own";
    }
}

TEST(Search, KnownPlansAreTriedFirst)
{
    FakeArena arena;
    const bool one = planned().fft().rows.lines == 1;
    const Answer known =
        one ? Answer{"row-lines=2", "tile-columns=2", "column-lines=1"} : Answer{"row-lines=1", "tile-columns=4"};
    arena.cost = [](const Plan& plan) { return has_other_lines(plan) ? 5.0 : 10.0; };
    const SearchResult found = search(kPhoto, kDevice.traits, arena,
                                      {.forced = with_fft(),
                                       .budget_s = 6,  // for one comparison, no more
                                       .now_s = [&arena] { return arena.now; },
                                       .known = {known, {"row-lines=no number"}, {"row-radices=7.7"}}});
    ASSERT_FALSE(found.attempts.empty());
    EXPECT_EQ(found.attempts.front().question, "known plans");
    EXPECT_THAT(found.rejections, Contains(Field(&Rejection::decisions, Answer{"row-radices=7.7"})));
    EXPECT_EQ(found.decisions, known);
}

using AnswersInUse = InARecordFolder;

TEST_F(AnswersInUse, BeginWithTheRecordAndGoOnWithThePlansWithoutIt)
{
    const KernelSource& kernels = KernelSource::embedded();
    Record record = a_record(kPhoto, {"method=fft", "row-radices=8.8.8.8"});
    record.key.kernels = kernels.fingerprint();
    ASSERT_TRUE(RecordStore(folder_).keep(record));
    const std::vector<Answer> answers = answers_in_use(kPhoto, kDevice, {}, kernels, folder_);
    ASSERT_EQ(answers.size(), 4);
    EXPECT_THAT(answers[0], Contains("row-radices=8.8.8.8"));
    EXPECT_THAT(answers[2], Not(Contains("row-radices=8.8.8.8")));
    EXPECT_THAT(answers[2], Contains("method=fft"));
    for (const Answer& answer : answers) EXPECT_THAT(answer, testing::Each(Not(testing::StartsWith("programs="))));
    for (const Answer& answer : answers_in_use(kPhoto, kDevice, with_fft(), kernels, folder_))
        EXPECT_THAT(answer, Not(Contains("method=fft"))) << "it is forced";
}

TEST(KnownAnswers, AreThoseOfTheSameSizeOnTheSameKindOfDevice)
{
    const Extent padded{800, 600};
    Record same_image = a_record(kPhoto, {"row-lines=1"});
    Record same_lines = a_record(kVideo, {"row-lines=2"});
    same_lines.similar = similar_token(kPhoto, padded);
    Record other_size = a_record(kVideo, {"row-lines=3"});
    Record other_device = a_record(kPhoto, {"row-lines=4"});
    other_device.key.device = "Another GPU";
    const Record as_planned = a_record(kPhoto, {});
    Problem floats = kPhoto;
    floats.input = floats.output = SampleType::float32;
    const Record again = a_record(floats, {"row-lines=1"});
    EXPECT_THAT(
        known_answers({same_image, same_lines, other_size, other_device, as_planned, again}, kDevice, kPhoto, padded),
        testing::ElementsAre(Answer{"row-lines=1"}, Answer{"row-lines=2"}));
}

}  // namespace
}  // namespace clconv::test
