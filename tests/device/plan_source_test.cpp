// SPDX-License-Identifier: Apache-2.0
// A measured plan that does not run on this device costs time, never an image.

#include "engine/convolver.h"

#include "base/errors.h"
#include "support/random_case.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace clconv::test {
namespace {

/// What a record of another device might lead to: an intermediate that no device has memory for.
ChosenPlan unusable_plan(const Problem& problem, const DeviceInfo& device, const Decisions& forced)
{
    ChosenPlan chosen = heuristic_plan(problem, device, forced);
    std::get<FftPlan>(chosen.plan.how).spectrum.packs = 1 << 30;  // 400 GB
    chosen.origin = "record";
    return chosen;
}

Convolver::Output convolved(const PlanSource& plans)
{
    const RandomImage image = random_image({37, 29}, 1, SampleType::float32, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({7, 5}, 1, {2, 3}, 2));
    ConvolveSettings settings;
    settings.decisions.method = Method::fft;
    settings.plans = plans;
    Convolver convolver(test_device(), KernelSource::embedded(), settings);
    return convolver.convolve(image.view, psf, SampleType::float32);
}

TEST(PlanSource, AMeasuredPlanThatFailsIsReplacedByThePlanners)
{
    const auto result = convolved([](const Problem& problem, const DeviceInfo& device, const Decisions& forced) {
        ChosenPlan chosen = unusable_plan(problem, device, forced);
        chosen.measured = true;
        return chosen;
    });
    const auto expected = convolved(heuristic_plan);
    EXPECT_EQ(result.plan_origin, "heuristic");
    EXPECT_EQ(result.plan, expected.plan);
    EXPECT_TRUE(std::ranges::equal(result.samples.as<float>(), expected.samples.as<float>()));
}

TEST(PlanSource, AnyOtherPlanThatFailsIsReported) { EXPECT_THROW(convolved(unusable_plan), DeviceError); }

}  // namespace
}  // namespace clconv::test
