// SPDX-License-Identifier: Apache-2.0
// The table of decisions: everything about each one, except how the planner makes it.
//
// --decide and its help (decisions.h), decisions_of() (plan.h), and the defines and words of variants (variants.h) read
// this table. Through them the planner, the programs, the tuner and its studies do.
#pragma once

#include "plan/decisions.h"
#include "plan/plan.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// The programs for lines that work-groups share: rows.cl for rows there and back, or columns.cl.
enum class SharedProgram { rows, columns };

/// Which lines a decision does not fit.
enum class Unfit {
    none,
    owned,             ///< lines that work-items own
    global,            ///< lines in global memory
    owned_and_global,  ///< both: all that work-groups do not share
};

/// A decision that is one of Variants.
struct VariantRow {
    SharedProgram program = SharedProgram::rows;
    std::string_view define;                               ///< of the program; its value is the enumerator's number
    void (*choose)(FftPlan&, const Decisions&) = nullptr;  ///< the decided value, else the first
    int (*number)(const FftPlan&) = nullptr;               ///< the enumerator's number
    std::string_view (*name)(const FftPlan&) = nullptr;    ///< the value's
    /// What a plan's text says, unless the value is the first; none: KEY=VALUE.
    std::optional<std::string_view> words = std::nullopt;
};

struct DecisionRow {
    std::string_view name;
    std::string_view meaning;
    std::vector<std::string> (*listed)();                         ///< the values that have names
    std::string_view other;                                       ///< other values, "N" or "R"; empty if there are none
    int maximum;                                                  ///< the largest N; 0 if there is no N
    bool (*set)(Decisions&, std::string_view value);              ///< false: no such value
    std::optional<std::string> (*get)(const Decisions& decided);  ///< none: left to the planner
    void (*take)(Decisions&, const Plan&);                        ///< sets the plan's value, if it has one
    Unfit unfit = Unfit::none;
    std::string_view fit_value = {};  ///< this value fits those lines too
    std::optional<VariantRow> variant = std::nullopt;

    /// The same row, for a decision that does not fit these lines, except for `value`, if it is not empty.
    [[nodiscard]] constexpr DecisionRow unfit_for(Unfit lines, std::string_view value = {}) const
    {
        DecisionRow row = *this;
        row.unfit = lines;
        row.fit_value = value;
        return row;
    }
    [[nodiscard]] constexpr DecisionRow only_shared() const { return unfit_for(Unfit::owned_and_global); }
    /// The same row, for a variant that a plan's text states in these words; "": src/plan/describe.cpp states it.
    [[nodiscard]] constexpr DecisionRow said_as(std::string_view words) const
    {
        DecisionRow row = *this;
        row.variant->words = words;
        return row;
    }
};

/// In the order in which decisions are listed.
[[nodiscard]] std::span<const DecisionRow> decision_rows();

}  // namespace clconv
