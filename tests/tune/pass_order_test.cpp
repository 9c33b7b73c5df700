// SPDX-License-Identifier: Apache-2.0
// Which plans of an item come first, with passes of a related device that are made up, and with those that are shipped.

#include "tune/pass_order.h"

#include "plan_records/pass_store.h"
#include "tune/gpu.h"
#include "tune/pass_menu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace clconv::test {
namespace {

using testing::IsEmpty;
using testing::Not;

const std::vector<MenuItem>& planar_menu()
{
    static const std::vector<MenuItem> menu = pass_menu(kGpu, {.type = SampleType::float32, .layout = Layout::planar});
    return menu;
}

std::vector<Plan> plans_of(const MenuItem& item)
{
    std::vector<Plan> plans;
    for (const Decisions& decisions : item.plans)
        if (auto plan = menu_plan(item.problem, kGpu, decisions)) plans.push_back(*std::move(plan));
    return plans;
}

/// The passes of all these plans, which take 100 ns a line, and those of one of them 10.
std::vector<PassRecord> made_up_passes(const std::vector<Plan>& plans, std::size_t fast)
{
    PassSet set;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const Plan& plan = plans[i == 0 ? fast : i];
        for (const PassLoad& load : loads_of(plan.problem, plan.fft()))
            if (const PassTimes known(set.passes); !known.find(load.pass))
                add_points(set, load.pass, load.filled, {{load.lines, load.lines * (i == 0 ? 10 : 100)}});
    }
    return set.passes;
}

TEST(WhatIsPromising, IsTheFirstPlanAndWhatIsFastOnARelatedDevice)
{
    const auto item = std::ranges::find_if(planar_menu(), [](const MenuItem& some) { return some.plans.size() > 5; });
    ASSERT_NE(item, planar_menu().end());
    const std::vector<Plan> plans = plans_of(*item);
    for (const std::size_t fast : {std::size_t{3}, plans.size() - 1}) {
        const std::vector<Plan> first = promising(plans, PassCosts(made_up_passes(plans, fast), kGpu));
        ASSERT_THAT(first, Not(IsEmpty()));
        EXPECT_LE(first.size(), 2U);
        EXPECT_EQ(describe(first.front()), describe(plans.front())) << "the plan of general programs";
        const auto same_columns = [&](const Plan& plan) {
            return line_pass(PassKind::columns, plan.problem, plan.fft()) ==
                   line_pass(PassKind::columns, plans[fast].problem, plans[fast].fft());
        };
        EXPECT_TRUE(std::ranges::any_of(first, same_columns));
    }
}

TEST(WhatIsPromising, IsAllWhereTheRelatedDeviceHasNoPasses)
{
    const std::vector<Plan> plans = plans_of(planar_menu().front());
    const auto passes_of = [](const std::vector<Plan>& some) {
        std::set<LinePass> passes;
        for (const Plan& plan : some)
            for (const PassLoad& load : loads_of(plan.problem, plan.fft())) passes.insert(load.pass);
        return passes;
    };
    EXPECT_EQ(passes_of(promising(plans, {})), passes_of(plans));
    EXPECT_THAT(promising({}, {}), IsEmpty());
}

TEST(WhatIsPromising, ByShippedPassesIsLessThanHalfOfAMenu)
{
    const std::vector<PassSet> shipped = shipped_passes("NVIDIA H100");
    ASSERT_THAT(shipped, Not(IsEmpty()));
    const PassCosts related(shipped.front().passes, kGpu, shipped.front().key.compute_units);
    std::size_t first = 0, all = 0;
    for (std::size_t i = 0; i < planar_menu().size(); i += 12) {
        const std::vector<Plan> plans = plans_of(planar_menu()[i]);
        all += plans.size();
        first += promising(plans, related).size();
    }
    EXPECT_LT(first, all / 2);
    EXPECT_GT(first, all / 9);
}

}  // namespace
}  // namespace clconv::test
