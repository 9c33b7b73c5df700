// SPDX-License-Identifier: Apache-2.0
// The search for a GPU's plan: it keeps what is requested, and what it fills in fits the device.

#include "plan/gpu_decisions.h"

#include "plan/devices.h"
#include "plan/gpu_cost.h"
#include "plan/plan.h"
#include "plan/tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <numeric>
#include <set>
#include <span>
#include <vector>

namespace clconv::test {
namespace {

using testing::ElementsAre;

Problem problem_of_size(Extent image, int psf)
{
    return {.image = image, .channels = 3, .psf = {psf, psf}, .origin = {psf / 2, psf / 2}, .border = Border::zero};
}

TEST(GpuDecisions, CoverTheProblemAndFitBothDevices)
{
    for (const int size : {1, 2, 17, 100, 641, 1023, 2048, 4000})
        for (const DeviceTraits& traits : {kNvidia, kSmallGpu}) {
            SCOPED_TRACE(size);
            const Problem problem = problem_of_size({size, size / 2 + 1}, 31);
            const auto found = gpu_decisions(problem, traits, {});
            ASSERT_TRUE(found);
            EXPECT_GE(product(found->radix_x.sequence), padded_axis(along_x(problem)).length);
            EXPECT_GE(product(found->radix_y.sequence), padded_axis(along_y(problem)).length);
            EXPECT_EQ(product(found->radix_back), product(found->radix_x.sequence));
            EXPECT_LE(*found->rows.lines * *found->rows.items, static_cast<int>(traits.max_work_group));
            const Plan plan = make_plan(problem, traits, *found);  // throws if something does not fit
            if (plan.is_fft()) {
                EXPECT_EQ(plan.fft().rows.residence, Residence::local);
                EXPECT_EQ(plan.fft().rows.local.items, *found->rows.items);
            }
        }
}

TEST(GpuDecisions, KeepWhatIsRequested)
{
    Decisions requested;
    requested.radix_x.sequence = {8, 16, 9};
    requested.rows.items = 48;
    requested.columns.lines = 2;
    requested.columns.registers = 96;
    requested.bundle_columns = 8;
    const auto found = gpu_decisions(problem_of_size({1024, 1024}, 63), kNvidia, requested);
    ASSERT_TRUE(found);
    EXPECT_THAT(found->radix_x.sequence, ElementsAre(8, 16, 9));
    EXPECT_THAT(found->radix_back, ElementsAre(8, 16, 9));
    EXPECT_EQ(found->rows.items, 48);
    EXPECT_EQ(found->columns.lines, 2);
    EXPECT_EQ(found->columns.registers, 96);
    EXPECT_EQ(found->bundle_columns, 8);
}

TEST(GpuDecisions, AreNoneWhereALineFitsNoWorkGroup)
{
    EXPECT_FALSE(gpu_decisions(problem_of_size({20000, 100}, 3), kSmallGpu, {}));
}

TEST(GpuDecisions, CutColumnsThatNoWorkGroupHolds)
{
    const Problem problem = problem_of_size({100, 20000}, 3);
    const auto found = gpu_decisions(problem, kSmallGpu, {});
    ASSERT_TRUE(found);
    EXPECT_GT(found->column_parts.value_or(1), 1);
    const Plan plan = make_plan(problem, kSmallGpu, *found);
    EXPECT_EQ(plan.fft().columns.residence, Residence::local);
    EXPECT_GE(plan.fft().y.parts * plan.fft().y.part, 20000);
    // Whoever plans no shapes gets the same.
    Decisions by_fft;
    by_fft.method = Method::fft;
    EXPECT_EQ(make_plan(problem, kSmallGpu, by_fft).fft().y, plan.fft().y);
}

TEST(GpuDecisions, LeaveColumnsWholeThatCannotBeInParts)
{
    Decisions by_fft;
    by_fft.method = Method::fft;
    const auto parts = [&](const Problem& problem) { return make_plan(problem, kNvidia, by_fft).fft().y.parts; };
    Problem problem = problem_of_size({100, 20000}, 63);
    EXPECT_GT(parts(problem), 1);
    EXPECT_EQ(parts(problem_of_size({100, 8000}, 63)), 1);  // nothing was measured
    problem.alternates = true;
    EXPECT_EQ(parts(problem), 1);
    problem.alternates = false;
    problem.support = KernelSupport::infinite;
    EXPECT_EQ(parts(problem), 1);
    problem.support = KernelSupport::finite;
    problem.psf.height = 15000;  // parts would load little but their neighbours
    EXPECT_EQ(parts(problem), 1);
}

TEST(GpuDecisions, PartsThatAreForcedMustBePossible)
{
    const auto refused = [](const char* also, const Problem& problem) {
        Decisions decisions;
        for (const char* decision : {"method=fft", "column-parts=2", also}) decide(decisions, decision);
        return complaint([&] { (void)make_plan(problem, kNvidia, decisions); });
    };
    Problem problem = problem_of_size({300, 500}, 63);
    EXPECT_THAT(refused("passes=separate", problem), testing::HasSubstr("column-parts=2: only columns of one launch"));
    EXPECT_THAT(refused("residence=global", problem), testing::HasSubstr("that a work-group holds"));
    EXPECT_THAT(refused("row-lines=4", problem), testing::HasSubstr("within the rows of a work-group"));
    EXPECT_EQ(refused("row-lines=2", problem), "nothing was thrown");
    problem.alternates = true;
    EXPECT_THAT(refused("padding=1", problem), testing::HasSubstr("alternate"));
    problem.alternates = false;
    problem.support = KernelSupport::infinite;
    EXPECT_THAT(refused("padding=1", problem), testing::HasSubstr("reaches everywhere"));
}

TEST(GpuDecisions, TakeTheNaturalLengthOfAWrappedImage)
{
    Problem problem = problem_of_size({960, 720}, 101);
    problem.border = Border::wrap;
    const auto found = gpu_decisions(problem, kNvidia, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(product(found->radix_x.sequence), 960);
    EXPECT_EQ(make_plan(problem, kNvidia, *found).fft().y.length, 720);
}

TEST(GpuDecisions, StoreWholePixelsWhereFloatsOfAChannelAreApart)
{
    const auto storing = [](SampleType type, Layout layout, int channels, int width = 1920) {
        Problem problem = problem_of_size({width, 1080}, 63);
        problem.input = problem.output = type;
        problem.layout = layout;
        problem.channels = channels;
        return gpu_decisions(problem, kNvidia, {}).value().storing.value_or(Storing::channels);
    };
    for (const int channels : {2, 3, 4})
        EXPECT_EQ(storing(SampleType::float32, Layout::interleaved, channels), Storing::pixels) << channels;
    EXPECT_EQ(storing(SampleType::float32, Layout::interleaved, 1), Storing::channels);
    EXPECT_EQ(storing(SampleType::float32, Layout::planar, 3), Storing::channels);
    EXPECT_EQ(storing(SampleType::u8, Layout::interleaved, 3), Storing::channels);
    EXPECT_EQ(storing(SampleType::half, Layout::interleaved, 3), Storing::channels);
    // Three lines of 6000 values and more do not fit local memory.
    EXPECT_EQ(storing(SampleType::float32, Layout::interleaved, 3, 6000), Storing::channels);
}

TEST(ShapesToMeasure, AreTheBestOnesAndThoseExchangedInPartsIfAskedFor)
{
    const Extent lengths{1728, 800};
    const Problem problem = problem_of_size({1620, 750}, 3);
    const auto count_split = [&](const ShapeCounts& counts) {
        int count = 0;
        for (const Decisions& shape : gpu_shapes(problem, kNvidia, lengths, counts)) {
            EXPECT_EQ(product(shape.radix_x.sequence), lengths.width);
            EXPECT_EQ(product(shape.radix_y.sequence), lengths.height);
            (void)make_plan(problem, kNvidia, shape);  // throws if something does not fit
            count += shape.columns.exchange == ExchangeForm::split;
        }
        return count;
    };
    EXPECT_EQ(count_split({}), 0);
    EXPECT_GT(count_split({.split_columns = 1}), 0);
    const std::size_t few = gpu_shapes(problem, kNvidia, lengths, {}).size();
    EXPECT_GT(gpu_shapes(problem, kNvidia, lengths, {.rows = 2, .columns = 3}).size(), few);
}

TEST(ShapesToMeasure, HaveTheLargestRadicesOfColumnsAtTheEndsToo)
{
    std::set<std::vector<int>> columns;
    const Problem problem = problem_of_size({1620, 4320}, 3);
    for (const Decisions& shape : gpu_shapes(problem, kNvidia, {1728, 4608}, {.columns = 6}))
        columns.insert(shape.radix_y.sequence);
    EXPECT_TRUE(columns.contains({24, 24, 8}));
    EXPECT_TRUE(columns.contains({24, 8, 24}));
}

GpuPass column_pass(const std::vector<int>& radices)
{
    GpuPass pass;
    pass.columns = true;
    pass.radices = radices;
    pass.items = 144;
    pass.values = 16;
    pass.work = 3 * 2304;
    pass.line_bytes = 2 * 8 * 2048;
    pass.lines_in_all = 1000;
    return pass;
}

constexpr std::array kLongRow{8, 8, 8, 20};

TEST(GpuCost, GrowsWithIdlenessWithLinesAndWithStages)
{
    const std::vector<int> three{16, 16, 9};
    const std::vector<int> four{16, 9, 4, 4};
    const GpuPass pass = column_pass(three);
    GpuPass idle = pass;
    idle.work *= 2;
    GpuPass more = pass;
    more.lines_in_all *= 2;
    EXPECT_GT(gpu_pass_ns(idle), gpu_pass_ns(pass));
    EXPECT_GT(gpu_pass_ns(more), 1.5 * gpu_pass_ns(pass));
    EXPECT_GT(gpu_pass_ns(column_pass(four)), gpu_pass_ns(pass));
    EXPECT_LT(gpu_line_ns(pass), gpu_pass_ns(pass));
}

/// A work-item has about 2 x 40 + 24 registers, so that five warps in each of a multiprocessor's four parts are too
/// many.
TEST(GpuCost, OfRowsCountsThatALoneWorkGroupWaits)
{
    GpuPass pass;
    pass.radices = std::span<const int>(kLongRow);
    pass.values = 40;
    pass.work = 4 * 10240;
    pass.split = true;
    pass.bundle_columns = 4;
    pass.lines_in_all = 3000;
    const auto ps_a_value = [&](int items) {
        pass.items = items;
        return gpu_pass_ns(pass) * 1e3 / (10240 * pass.lines_in_all);
    };
    EXPECT_GT(ps_a_value(320) - ps_a_value(256), 1.7);
    pass.columns = true;
    EXPECT_LT(ps_a_value(320) - ps_a_value(256), 0.5) << "of columns nothing of the kind was measured";
}

}  // namespace
}  // namespace clconv::test
