// SPDX-License-Identifier: Apache-2.0
// Measures the passes of a menu, and keeps them as it goes on.
//
// Pure: a PassArena measures, and a function says when the time is over. What is known already is not measured again,
// so a search that was interrupted continues where it was.
#pragma once

#include "plan/pass_costs.h"
#include "plan_records/pass_set.h"
#include "tune/pass_menu.h"
#include "tune/search.h"

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace clconv {

/// The time of a share of a pass's lines.
struct ShareTime {
    double share = 1;
    double ns = 0;
};

/// The times of one plan's passes.
struct PlanTimes {
    std::array<std::vector<ShareTime>, 3> passes;  ///< by PassKind; of about the shares that were asked for
    std::string complaint;                         ///< why there are none: as of Arena::enter()
};

/// The place where passes are measured.
class PassArena {
public:
    PassArena() = default;
    PassArena(const PassArena&) = delete;
    PassArena& operator=(const PassArena&) = delete;
    virtual ~PassArena() = default;

    /// Says that these plans come soon, so that their programs may be built meanwhile.
    virtual void expect(const Problem& /*problem*/, const std::vector<Plan>& /*plans*/) {}
    /// Times for each plan, all of them plans of `problem`, and for each share of the lines. Results are checked before
    /// their time counts. `out_of_time` is asked before each plan, with its number.
    virtual std::vector<PlanTimes> measure(const Problem& problem, const std::vector<Plan>& plans,
                                           const std::vector<double>& shares,
                                           const std::function<bool(std::size_t)>& out_of_time) = 0;
};

struct PassTunerSettings {
    std::size_t plans = std::numeric_limits<std::size_t>::max();  ///< at most
    const PassCosts* related = nullptr;             ///< of a related device: what is fast there comes first
    std::function<bool()> out_of_time = {};         ///< but one plan is always tried; may be empty
    std::function<void(const PassSet&)> keep = {};  ///< called whenever passes were added
    std::function<void(const std::string&)> progress = {};
};

struct PassTuning {
    PassSet set;               ///< all that is known now
    std::size_t plans = 0;     ///< of the menu
    std::size_t known = 0;     ///< of these, measured earlier
    std::size_t measured = 0;  ///< of these, measured now
    std::size_t unfit = 0;     ///< of these, not for this device
    std::size_t left = 0;      ///< of these, not reached
    std::vector<Defect> defects;
};

/// `known`: what was measured before in the same circumstances, or a set without passes.
[[nodiscard]] PassTuning tune_passes(const std::vector<MenuItem>& menu, const DeviceTraits& traits, PassSet known,
                                     PassArena& arena, const PassTunerSettings& settings);

}  // namespace clconv
