// SPDX-License-Identifier: Apache-2.0
#include "bench/measure.h"
#include "bench/suites.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace clconv::test {
namespace {

TEST(Bench, ImagesInTwoQueuesAreTimedAndRight)
{
    Problem problem;
    problem.image = {40, 30};
    problem.psf = {7, 7};
    problem.origin = {3, 3};
    problem.channels = 1;
    const auto device = gpu();
    ASSERT_EQ(device->queues(), 2U);
    for (const int queues : {1, 2}) {
        const Measurement measured =
            measure(*device, KernelSource::embedded(), {problem, {}, heuristic_plan, queues}, 2);
        EXPECT_EQ(measured.queues, queues);
        EXPECT_TRUE(measured.right()) << measured.relative_error;
        EXPECT_GT(measured.ms.min, 0);
        EXPECT_TRUE(std::ranges::all_of(measured.passes, [](const MeasuredPass& pass) { return pass.ms > 0; }));
    }
}

TEST(Bench, SuitesChangeSizesAlone)
{
    Problem base;
    base.input = base.output = SampleType::u16;
    base.border = Border::mirror;
    for (const auto& [suite, count] : {std::pair(standard_suite(base), 7), std::pair(plane_suite(base), 10)}) {
        EXPECT_EQ(std::ssize(suite), count);
        for (const Problem& problem : suite) {
            EXPECT_EQ(problem.input, base.input);
            EXPECT_EQ(problem.border, base.border);
            EXPECT_EQ(problem.origin.x, problem.psf.width / 2);
            EXPECT_LT(problem.psf.height, problem.image.height);
        }
    }
    EXPECT_TRUE(std::ranges::all_of(plane_suite(base), [](const Problem& problem) { return problem.channels == 1; }));
}

}  // namespace
}  // namespace clconv::test
