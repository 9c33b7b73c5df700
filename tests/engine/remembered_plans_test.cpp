// SPDX-License-Identifier: Apache-2.0
#include "engine/remembered_plans.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace clconv::test {
namespace {

Problem problem_of_width(int width)
{
    return {.image = {width, 20}, .channels = 1, .psf = {3, 3}, .origin = {1, 1}, .psf_channels = 1};
}

/// Counts the questions.
struct Counted {
    std::atomic<int> questions = 0;

    PlanSource source()
    {
        return [this](const Problem& problem, const DeviceInfo& device, const Decisions& forced) {
            ++questions;
            return heuristic_plan(problem, device, forced);
        };
    }
};

TEST(RememberedPlans, AreThoseOfTheSourceWhichIsAskedOncePerProblem)
{
    Counted counted;
    const PlanSource plans = remembered(counted.source());
    for (int round = 0; round < 3; ++round)
        for (const int width : {10, 20})
            EXPECT_EQ(describe(plans(problem_of_width(width), {}, {})),
                      describe(heuristic_plan(problem_of_width(width), {}, {})));
    EXPECT_EQ(counted.questions, 2);
}

TEST(RememberedPlans, AProblemThatHasNoPlanHasNoneForEveryThreadThatAsks)
{
    const PlanSource plans = remembered(
        [](const Problem&, const DeviceInfo&, const Decisions&) -> ChosenPlan { throw TooLarge("too large"); });
    for (int i = 0; i < 2; ++i) EXPECT_THROW((void)plans(problem_of_width(10), {}, {}), TooLarge);
}

TEST(RememberedPlans, ThreadsThatAskAtTheSameTimeShareOneAnswer)
{
    Counted counted;
    const PlanSource plans = remembered(counted.source());
    std::latch together(4);
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                together.arrive_and_wait();
                for (int width = 10; width < 40; ++width)
                    EXPECT_EQ(plans(problem_of_width(width), {}, {}).plan.problem.image.width, width);
            });
    }
    EXPECT_EQ(counted.questions, 30);
}

TEST(RememberedPlans, OldOnesAreForgotten)
{
    Counted counted;
    const PlanSource plans = remembered(counted.source());
    for (int width = 10; width < 310; ++width) (void)plans(problem_of_width(width), {}, {});
    (void)plans(problem_of_width(309), {}, {});
    EXPECT_EQ(counted.questions, 300);
    (void)plans(problem_of_width(10), {}, {});
    EXPECT_EQ(counted.questions, 301);
}

}  // namespace
}  // namespace clconv::test
