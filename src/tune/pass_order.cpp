// SPDX-License-Identifier: Apache-2.0
#include "tune/pass_order.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace clconv {
namespace {

/// Passes that take up to this many times the fastest of their length may be the fastest on the other device.
constexpr double kPromising = 1.05;

struct PricedPass {
    LinePass pass;
    PassCost cost;
};
using PricedPlan = std::vector<PricedPass>;

std::vector<PricedPlan> priced(const std::vector<Plan>& plans, const PassCosts& related)
{
    std::vector<PricedPlan> found;
    for (const Plan& plan : plans) {
        PricedPlan& passes = found.emplace_back();
        for (const PassLoad& load : loads_of(plan.problem, plan.fft()))
            passes.push_back({load.pass, related.cost(load)});
    }
    return found;
}

/// The passes that are worth a plan.
std::set<LinePass> promising_passes(const std::vector<PricedPlan>& plans)
{
    std::array<double, std::size(kPassKinds)> fastest{};
    fastest.fill(std::numeric_limits<double>::infinity());
    const auto fastest_of = [&](PassKind kind) -> double& { return fastest.at(static_cast<std::size_t>(kind)); };
    for (const PricedPlan& plan : plans)
        for (const auto& [pass, cost] : plan)
            if (cost.measured) fastest_of(pass.kind) = std::min(fastest_of(pass.kind), cost.ns);
    std::set<LinePass> found;
    for (const PricedPlan& plan : plans)
        for (const auto& [pass, cost] : plan)
            if (cost.measured ? cost.ns <= kPromising * fastest_of(pass.kind) : !cost.others_measured)
                found.insert(pass);
    return found;
}

}  // namespace

std::vector<Plan> promising(const std::vector<Plan>& plans, const PassCosts& related)
{
    const std::vector<PricedPlan> all = priced(plans, related);
    std::set<LinePass> missing = promising_passes(all);
    const auto news = [&](const PricedPlan& plan) {
        return std::ranges::count_if(plan, [&](const PricedPass& pass) { return missing.contains(pass.pass); });
    };
    std::set<std::size_t> chosen;
    for (std::size_t next = 0; next < all.size();) {
        chosen.insert(next);
        for (const PricedPass& pass : all[next]) missing.erase(pass.pass);
        const auto best = std::ranges::max_element(all, {}, news);
        if (news(*best) == 0) break;
        next = static_cast<std::size_t>(std::distance(all.begin(), best));
    }
    std::vector<Plan> found;
    for (const std::size_t i : chosen) found.push_back(plans[i]);
    return found;
}

}  // namespace clconv
