// SPDX-License-Identifier: Apache-2.0
// The plan: what will run, as a value that prints. make_plan() decides, and src/passes follows it.
#pragma once

#include "base/device_traits.h"
#include "conv/problem.h"
#include "plan/decisions.h"
#include "plan/plan_direct.h"
#include "plan/plan_fft.h"
#include "plan/plan_tiled.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace clconv {

struct Plan {
    Problem problem;
    Extent output;
    Programs programs = Programs::general;
    std::variant<FftPlan, TilePlan, DirectPlan> how;
    std::vector<std::string> reasons;

    /// The method's name, for tables and records. Code for one method takes that method's plan. Code in which all three
    /// differ visits `how` (base/overloaded.h).
    [[nodiscard]] Method method() const;
    [[nodiscard]] bool is_fft() const { return std::holds_alternative<FftPlan>(how); }
    /// The plan of its method; throws std::bad_variant_access if it has another.
    [[nodiscard]] const FftPlan& fft() const { return std::get<FftPlan>(how); }
    [[nodiscard]] const TilePlan& tiles() const { return std::get<TilePlan>(how); }
    [[nodiscard]] const DirectPlan& direct() const { return std::get<DirectPlan>(how); }

    /// Bytes of device memory besides image, result and transfer.
    [[nodiscard]] std::uint64_t scratch_bytes() const;
    /// Bytes of a whole PSF's transfer; direct: 0.
    [[nodiscard]] std::uint64_t transfer_bytes() const;
};

/// Throws DeviceError if the device does not support `precision`.
void check_supported(Precision precision, const DeviceTraits& traits);

/// Makes all choices that `decisions` leaves open. Throws InvalidProblem if the problem makes no sense, a forced radix
/// sequence is too short for the padded line, a forced local residence does not fit the device, or tiles are requested
/// and none holds the PSF. Throws TooLarge if the device has too little memory, or lines would be too long.
[[nodiscard]] Plan make_plan(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions = {});

/// The same; none if the device has too little memory for it, or its lines would be too long.
[[nodiscard]] std::optional<Plan> plan_if_it_fits(const Problem& problem, const DeviceTraits& traits,
                                                  const Decisions& decisions);

/// The decisions of a plan, forced or chosen. Decisions without a meaning for this plan are left open. They make the
/// same plan again, except for its reasons.
[[nodiscard]] Decisions decisions_of(const Plan& plan);

/// The extent of image and border, given by the plan's lines. For a plan without lines, that of the shortest possible
/// lines.
[[nodiscard]] Extent padded_extent(const Plan& plan);

/// The plan in one line: the problem, the output, the padded extent, the method.
[[nodiscard]] std::string title_of(const Plan& plan);
/// The work of the plan in words: its title, a line for each pass, the memory. Plans with the same text do the same
/// work.
[[nodiscard]] std::string describe_work(const Plan& plan);
/// The same, followed by the reasons.
[[nodiscard]] std::string describe(const Plan& plan);

}  // namespace clconv
