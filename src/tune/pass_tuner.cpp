// SPDX-License-Identifier: Apache-2.0
#include "tune/pass_tuner.h"

#include "plan/pass_costs.h"
#include "tune/pass_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace clconv {
namespace {

/// Whether all passes of a plan have times for about as many lines as each of these shares has.
bool is_known(const PassTimes& times, const Plan& plan, const std::vector<double>& shares)
{
    const std::vector<PassLoad> loads = loads_of(plan.problem, plan.fft());
    return std::all_of(loads.begin(), loads.end(), [&](const PassLoad& load) {
        const PassRecord* record = times.find(load.pass);
        return record && std::all_of(shares.begin(), shares.end(), [&](double share) {
                   return std::any_of(record->points.begin(), record->points.end(), [&](const PassPoint& point) {
                       return about_as_many(point.lines, share * load.lines);
                   });
               });
    });
}

/// Ascending. Of shares that came to equally many work-groups, the first counts.
std::vector<PassPoint> points_of(const PassLoad& load, const std::vector<ShareTime>& times)
{
    std::map<double, double> ns;
    for (const ShareTime& time : times) ns.emplace(time.share * load.lines, time.ns);
    std::vector<PassPoint> points;
    for (const auto& [lines, taken] : ns) points.push_back({lines, taken});
    return points;
}

class PassTuner {
public:
    PassTuner(const DeviceTraits& traits, PassSet known, PassArena& arena, const PassTunerSettings& settings)
        : traits_(traits), arena_(arena), settings_(settings)
    {
        tuning_.set = std::move(known);
    }

    PassTuning run(const std::vector<MenuItem>& menu)
    {
        for (const MenuItem& item : menu) tuning_.plans += item.plans.size();
        is_first_round_ = settings_.related != nullptr;
        if (is_first_round_) measure_all(menu);
        is_first_round_ = false;
        measure_all(menu);
        tuning_.left = tuning_.plans - tuning_.known - tuning_.measured - tuning_.unfit - tuning_.defects.size();
        return std::move(tuning_);
    }

private:
    [[nodiscard]] bool is_out_of_time() const { return settings_.out_of_time && settings_.out_of_time(); }

    /// The first plan is always tried. Plans that fail count, too: on some devices all of them do.
    [[nodiscard]] bool is_over() const { return tuning_.measured + tuning_.defects.size() > 0 && is_out_of_time(); }

    void measure_all(const std::vector<MenuItem>& menu)
    {
        soon_.clear();
        for (std::size_t i = 0; i < menu.size() && !is_over() && allowed() > 0; ++i) {
            look_ahead(menu, i);
            measure(menu[i], i);
            soon_.erase(soon_.begin());
        }
    }

    /// Plans that may still be measured.
    [[nodiscard]] std::size_t allowed() const { return settings_.plans - tuning_.measured - tuning_.defects.size(); }

    /// Plans this item and the next ones, and announces those.
    void look_ahead(const std::vector<MenuItem>& menu, std::size_t current)
    {
        constexpr std::size_t ahead = 3;
        for (std::size_t i = current + soon_.size(); i < menu.size() && i <= current + ahead; ++i) {
            std::vector<Plan>& plans = soon_.emplace_back();
            for (const Decisions& decisions : menu[i].plans)
                if (auto plan = menu_plan(menu[i].problem, traits_, decisions)) plans.push_back(*std::move(plan));
            if (is_first_round_) plans = promising(plans, *settings_.related);
            if (i > current) arena_.expect(menu[i].problem, unknown(plans, menu[i].shares));
        }
    }

    [[nodiscard]] std::vector<Plan> unknown(const std::vector<Plan>& plans, const std::vector<double>& shares) const
    {
        const PassTimes times(tuning_.set.passes);
        std::vector<Plan> found;
        for (const Plan& plan : plans)
            if (!is_known(times, plan, shares)) found.push_back(plan);
        return found;
    }

    /// Plans of this item that the first round has not met.
    [[nodiscard]] std::vector<Plan> unmet(std::size_t item, const std::vector<Plan>& plans)
    {
        std::vector<Plan> found;
        for (const Plan& plan : plans) {
            int& met = met_[{item, decided(decisions_of(plan))}];
            if (is_first_round_) ++met;
            if (is_first_round_ || met-- <= 0) found.push_back(plan);
        }
        return found;
    }

    void measure(const MenuItem& item, std::size_t number)
    {
        if (!is_first_round_) tuning_.unfit += item.plans.size() - soon_.front().size();
        const std::vector<Plan> all = unmet(number, soon_.front());
        std::vector<Plan> plans = unknown(all, item.shares);
        tuning_.known += all.size() - plans.size();
        if (plans.size() > allowed()) plans.resize(allowed());
        if (plans.empty()) return;
        if (settings_.progress)
            settings_.progress(fmt::format("lines of {}: {} plans; {} of {} are done",
                                           to_string(padded_extent(plans[0])), plans.size(),
                                           tuning_.known + tuning_.measured, tuning_.plans));
        take(plans, arena_.measure(item.problem, plans, item.shares,
                                   [this](std::size_t i) { return i > 0 && is_out_of_time(); }));
        if (settings_.keep) settings_.keep(tuning_.set);
    }

    void take(const std::vector<Plan>& plans, const std::vector<PlanTimes>& times)
    {
        for (std::size_t i = 0; i < plans.size(); ++i) {
            if (times[i].complaint == kOutOfTime) continue;
            if (!times[i].complaint.empty()) {
                tuning_.defects.push_back({decided(decisions_of(plans[i])), times[i].complaint});
                continue;
            }
            ++tuning_.measured;
            const std::vector<PassLoad> loads = loads_of(plans[i].problem, plans[i].fft());
            for (std::size_t kind = 0; kind < loads.size(); ++kind)
                add_points(tuning_.set, loads[kind].pass, loads[kind].filled,
                           points_of(loads[kind], times[i].passes[kind]));
        }
    }

    const DeviceTraits& traits_;
    PassArena& arena_;
    const PassTunerSettings& settings_;
    PassTuning tuning_;
    bool is_first_round_ = false;                                          ///< of what is promising
    std::deque<std::vector<Plan>> soon_;                                   ///< plans of this item and the next ones
    std::map<std::pair<std::size_t, std::vector<std::string>>, int> met_;  ///< items' plans in the first round
};

}  // namespace

PassTuning tune_passes(const std::vector<MenuItem>& menu, const DeviceTraits& traits, PassSet known, PassArena& arena,
                       const PassTunerSettings& settings)
{
    return PassTuner(traits, std::move(known), arena, settings).run(menu);
}

}  // namespace clconv
