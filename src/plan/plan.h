// What will run: a value that prints. make_plan() decides; src/engine obeys.
#pragma once

#include "conv/problem.h"
#include "plan/decisions.h"
#include "plan/device_traits.h"
#include "plan/plan_direct.h"
#include "plan/plan_fft.h"
#include "plan/plan_tiled.h"

#include <cstdint>
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

    /// Its name, for tables and records. Code that does one method's work takes that method's plan; where all three
    /// differ, it visits `how` (base/overloaded.h).
    [[nodiscard]] Method method() const;
    [[nodiscard]] bool is_fft() const { return std::holds_alternative<FftPlan>(how); }
    /// The plan of its method; throws std::bad_variant_access if it has another.
    [[nodiscard]] const FftPlan& fft() const { return std::get<FftPlan>(how); }
    [[nodiscard]] const TilePlan& tiles() const { return std::get<TilePlan>(how); }
    [[nodiscard]] const DirectPlan& direct() const { return std::get<DirectPlan>(how); }

    /// Bytes of device memory beside image, result and transfer.
    [[nodiscard]] std::uint64_t scratch_bytes() const;
    /// Bytes of a whole PSF's spectrum, as it is multiplied; direct: 0.
    [[nodiscard]] std::uint64_t transfer_bytes() const;
};

/// Throws DeviceError if the device has not what `precision` needs.
void check_supported(Precision precision, const DeviceTraits& traits);

/// Chooses what `decisions` leaves open. Throws InvalidProblem: the problem makes no sense, a forced radix sequence is
/// too short for the padded line, a forced local residence does not fit the device, no tile holds the PSF and tiles
/// were asked for. Throws TooLarge: the device has too little memory for it, or its lines would be too long.
[[nodiscard]] Plan make_plan(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions = {});

/// The decisions that a plan amounts to, forced or chosen; nothing is said of what has no meaning in it. They make the
/// same plan again, but for its reasons.
[[nodiscard]] Decisions decisions_of(const Plan& plan);

/// Image and border as the plan's lines are long; where it has none, as the shortest lines would be.
[[nodiscard]] Extent padded_extent(const Plan& plan);

/// What the plan does, in words: the problem, a line a pass, the memory. Plans of one text do the same.
[[nodiscard]] std::string describe_work(const Plan& plan);
/// The same, and the reasons behind it.
[[nodiscard]] std::string describe(const Plan& plan);

}  // namespace clconv
