// SPDX-License-Identifier: Apache-2.0
#include "plan/gpu_menu.h"

#include "fft/factorize.h"
#include "plan/devices.h"
#include "plan/gpu_decisions.h"
#include "plan/plan.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

Problem square(int side, int psf)
{
    return {.image = {side, side}, .channels = 3, .psf = {psf, psf}, .origin = {psf / 2, psf / 2}};
}

TEST(GpuMenu, HasSmallSteps)
{
    for (const bool columns : {false, true}) {
        const auto lengths = gpu_menu_lengths(columns);
        for (std::size_t i = 1; i < lengths.size(); ++i) {
            EXPECT_GT(lengths[i], lengths[i - 1]);
            EXPECT_LE(lengths[i], lengths[i - 1] * (lengths[i - 1] < 512 ? 1.5 : 1.12)) << lengths[i - 1];
        }
    }
}

TEST(GpuMenu, EveryLengthFitsAWorkGroup)
{
    for (const bool columns : {false, true})
        for (const int length : gpu_menu_lengths(columns)) {
            const auto line = gpu_menu_line(length, columns, Precision::float32, kNvidia);
            ASSERT_TRUE(line) << length;
            EXPECT_EQ(line_length(line->radices), length);
        }
}

TEST(GpuMenu, GivesImagesOfOneRungTheSameLines)
{
    const Plan a = make_plan(square(1000, 63), kNvidia);
    const Plan b = make_plan(square(1017, 63), kNvidia);
    EXPECT_EQ(a.fft().rows, b.fft().rows);
    EXPECT_EQ(a.fft().rows, a.fft().rows_back);
    EXPECT_EQ(a.fft().columns, b.fft().columns);
}

TEST(GpuMenu, IsLeftToWhoAsksForShapes)
{
    Decisions decisions;
    decide(decisions, "row-radices=16.16.9");
    decide(decisions, "method=fft");
    const Plan plan = make_plan(square(2000, 63), kNvidia, decisions);
    EXPECT_EQ(plan.fft().x.length, 2304);
    EXPECT_EQ(plan.programs, Programs::special);
}

TEST(GpuMenu, EndsWhereLinesDoNotFit)
{
    DeviceTraits large = kNvidia;
    large.global_memory = std::uint64_t{128} << 30;
    large.max_allocation = std::uint64_t{32} << 30;
    EXPECT_EQ(make_plan(square(13000, 63), large).fft().rows.residence, Residence::global);
}

}  // namespace
}  // namespace clconv::test
