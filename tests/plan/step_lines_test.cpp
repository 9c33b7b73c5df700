// SPDX-License-Identifier: Apache-2.0
#include "plan/step_lines.h"

#include "fft/factorize.h"
#include "plan/devices.h"
#include "plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace clconv::test {
namespace {

/// An image whose rows need lines of this length.
Problem iterated(int needed)
{
    Problem problem{.image = {needed - 31, needed - 31},
                    .channels = 1,
                    .input = SampleType::float32,
                    .output = SampleType::float32,
                    .psf = {63, 63},
                    .origin = {31, 31},
                    .border = Border::zero};
    problem.alternates = true;
    return problem;
}

TEST(StepLines, AreTheRowsOfPlansThatAlternate)
{
    const std::vector<int> lengths = step_lengths();
    ASSERT_TRUE(std::ranges::is_sorted(lengths));
    for (const int length : lengths)
        for (const Programs programs : {Programs::general, Programs::special}) {
            SCOPED_TRACE(length);
            const Problem problem = iterated(length);
            const auto line = step_rows(problem, kNvidia);
            ASSERT_TRUE(line);
            EXPECT_EQ(line_length(line->radices), length);
            Decisions decisions;
            decisions.method = Method::fft;
            decisions.programs = programs;
            const FftPlan fft = make_plan(problem, kNvidia, decisions).fft();
            EXPECT_EQ(fft.rows.radices, line->radices);
            EXPECT_EQ(fft.rows_back.radices, line->radices);
            EXPECT_EQ(fft.rows.local.items, line->items);
            EXPECT_EQ(fft.rows_back.local.items, line->items);
            EXPECT_EQ(fft.rows.lines, 1);
        }
}

TEST(StepLines, AreAtMostAnEighthTooLong)
{
    for (int needed = 64; needed < 9000; needed += 7)
        if (const auto line = step_rows(iterated(needed), kNvidia)) {
            EXPECT_GE(line_length(line->radices), needed);
            EXPECT_LE(line_length(line->radices), needed + needed / 8);
        }
}

TEST(StepLines, FitTheDevice)
{
    for (const int length : step_lengths())
        if (const auto line = step_rows(iterated(length), kSmallGpu)) {
            EXPECT_LE(line->items, 256);
            EXPECT_LE(line_length(line->radices), 4096);
        }
}

TEST(StepLines, AreForNothingElse)
{
    const int length = step_lengths().front();
    Problem once = iterated(length), halves = once;
    once.alternates = false;
    halves.precision = Precision::half;
    EXPECT_FALSE(step_rows(once, kNvidia));
    EXPECT_FALSE(step_rows(halves, kNvidia));
    EXPECT_FALSE(step_rows(iterated(length), kCpu));
    Decisions decisions;
    decide(decisions, "row-radices=16.16.9");
    decide(decisions, "method=fft");
    EXPECT_EQ(make_plan(iterated(2156), kNvidia, decisions).fft().x.length, 2304);
}

}  // namespace
}  // namespace clconv::test
