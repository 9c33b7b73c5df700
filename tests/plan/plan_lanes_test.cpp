// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_lanes.h"

#include "devices.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

/// Rows are stored into all bundles at the same place, and a cache has one set for places at a distance of a power of
/// two.
TEST(PlanLanes, BundlesOfSpectraLieAtNoDistanceOfAPowerOfTwo)
{
    for (const int height : {64, 500, 1000, 2048, 4096}) {
        const Problem problem{.image = {300, height}, .psf = {9, 9}, .origin = {4, 4}};
        const auto plan = plan_lanes(problem, kCpu, {});
        ASSERT_TRUE(plan);
        EXPECT_EQ(plan->spectrum.packs % 2, 1) << height << " rows";
    }
}

}  // namespace
}  // namespace clconv::test
