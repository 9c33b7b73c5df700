// SPDX-License-Identifier: Apache-2.0
#include "bench/measure.h"
#include "bench/random_work.h"
#include "bench/suites.h"
#include "bench/trial.h"
#include "opencl/kernel_source.h"
#include "plan/plan.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace clconv::test {
namespace {

Problem small_problem(int channels)
{
    return {.image = {40, 30}, .channels = channels, .psf = {7, 7}, .origin = {3, 3}};
}

TEST(Bench, ImagesInTwoQueuesAreTimedAndRight)
{
    const Problem problem = small_problem(1);
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

TEST(Bench, PassesOfAShareHaveThatShareOfTheWorkGroups)
{
    Problem problem = small_problem(4);
    problem.layout = Layout::planar;
    const auto device = gpu();
    WorkOnDevice work(*device, problem);
    Decisions fft;
    fft.method = Method::fft;
    Trial trial(work, KernelSource::embedded(), make_plan(problem, device->info().traits, fft));
    EXPECT_LT(trial.relative_error(), trial.allowed_error());
    for (const double share : {1.0, 0.25}) {
        const std::vector<PassTime> passes = trial.pass_times(1, share);
        ASSERT_EQ(passes.size(), 3U);
        for (const PassTime& pass : passes) EXPECT_NEAR(pass.share, share, 0.05) << pass.name;
    }
    EXPECT_LT(trial.relative_error(), trial.allowed_error()) << "whole again";
}

TEST(Bench, AReferenceLooksAtNoOtherSamplesThanItsRuns)
{
    for (const Layout layout : {Layout::planar, Layout::interleaved}) {
        Problem problem;
        problem.image = {200, 100};
        problem.psf = {1, 1};
        problem.channels = 3;
        problem.layout = layout;
        const RandomWork work = random_work(problem);  // with a PSF of one pixel, the image is the result
        Bytes result(work.image.size());
        std::ranges::fill(result.as<float>(), std::numeric_limits<float>::quiet_NaN());
        const ReferenceSamples reference = reference_samples(problem, work);
        EXPECT_TRUE(std::isnan(relative_error(problem, reference, result)));
        std::size_t samples = 0;
        reference.for_each_run(problem, [&](std::size_t first, std::size_t count) {
            std::ranges::copy(work.image.as<float>().subspan(first, count), result.as<float>().begin() + first);
            samples += count;
        });
        EXPECT_LT(relative_error(problem, reference, result), 1e-6);
        EXPECT_EQ(samples, reference.values.size());
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
