// SPDX-License-Identifier: Apache-2.0
// The prepared plans of a device, found by their problems.
//
// A folder has sizes in any order, and PSFs alternate. Prepared plans stay while half the device's memory holds them
// and their workspace, and the least recently used one is removed first.
#pragma once

#include "engine/convolved_image.h"
#include "engine/first_use.h"
#include "engine/image_problem.h"
#include "engine/plan_source.h"
#include "engine/prepared_plan.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace clconv {

/// A prepared plan, and what is reported about it.
struct KnownPlan {
    PreparedPlan plan;
    std::string text;  ///< the plan in words
    std::string origin;
    bool is_measured = false;
    PlanCheck check;
    std::uint64_t last_used = 0;  ///< the number of the cache's use
};

/// The part of a device that plans may use.
struct PlanLimits {
    int images = 1;          ///< in flight at a time
    bool is_frugal = false;  ///< one plan at a time: the minimum of device memory
};

class PlanCache {
public:
    /// Device, kernels and settings must outlive it. `before_one_goes` waits for everything that uses the memory of a
    /// plan that is removed.
    PlanCache(Device& device, const KernelSource& kernels, const ConvolveSettings& settings, PlanLimits limits,
              std::function<void()> before_one_goes);

    struct Ready {
        KnownPlan& known;  ///< valid until it is forgotten or replaced
        const PreparedPsf& psf;
        std::unique_ptr<Launcher> preparing;  ///< PreparedPlan::Transfer
    };
    /// Prepares a transfer by a plan, unless it is known there.
    using Transfer = std::function<PreparedPlan::Transfer(PreparedPlan&)>;
    /// The known plan of the problem, or one from `source`, with `transfer` on the device. If a plan from a record does
    /// not build or launch here, the planner's own plan replaces it. Adds to `result`'s times and spans. Throws what
    /// `source` and `transfer` throw, BuildError, DeviceError.
    [[nodiscard]] Ready ready(const Problem& problem, const PlanSource& source, const Transfer& transfer,
                              ConvolvedImage& result);

    /// Drops the problem's plan. Nothing may be in flight with it.
    void forget(const Problem& problem);

private:
    struct Prepared {
        KnownPlan& known;
        bool is_new;  ///< made just now
    };
    [[nodiscard]] Prepared prepare(const Problem& problem, const PlanSource& source);
    [[nodiscard]] KnownPlan made(const ChosenPlan& chosen);
    void make_room(const Plan& plan, const Overlap& overlap);
    void keep_transfers_in_memory(PreparedPlan& plan);
    [[nodiscard]] std::uint64_t bytes_of_plans() const;

    Device& device_;
    const KernelSource& kernels_;
    const ConvolveSettings& settings_;
    PlanLimits limits_;
    std::uint64_t memory_;  ///< bytes, for all plans
    std::function<void()> before_one_goes_;
    Workspace workspace_;
    using Plans = std::map<std::string, KnownPlan>;
    [[nodiscard]] Plans::iterator least_recently_used();
    Plans plans_;            ///< by the problem's token
    bool on_trial_ = false;  ///< the latest plan comes from a record and was made just now
    std::uint64_t uses_ = 0;
};

}  // namespace clconv
