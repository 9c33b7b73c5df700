// SPDX-License-Identifier: Apache-2.0
// Finds good decisions for one problem: one question after another, on top of the best answers so far.
//
// Pure: an Arena gives the cost of a candidate, and a function gives the time. The planner's own plan is in every
// comparison. At the end, the winner must beat it once more, in alternating samples; otherwise the planner's plan
// is kept.
// docs/decisions/021-tuned-plans-win-twice.md
#pragma once

#include "tune/candidates.h"
#include "tune/sampling.h"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// The place where plans compete. Until the next call, candidates are numbered from 0 in the order in which they
/// entered.
class Arena {
public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    virtual ~Arena() = default;

    /// Prepares plans and checks their results. Returns a string for each: empty, or why the plan may not compete (it
    /// does not build, computes wrongly, or writes beyond its buffers). `out_of_time` is asked before each plan, with
    /// its number; if it is true, this plan gets "out of time".
    virtual std::vector<std::string> enter(const std::vector<Plan>& plans,
                                           const std::function<bool(std::size_t)>& out_of_time) = 0;
    /// One sample, ms an image.
    virtual double sample(std::size_t candidate) = 0;
    /// The number of plans of this kind that may be ready at the same time.
    virtual std::size_t capacity(const Plan& plan) = 0;
};

inline constexpr const char* kOutOfTime = "out of time";

struct SearchSettings {
    Decisions forced = {};
    double budget_s = 10;                ///< but one comparison of two plans is always made
    std::function<double()> now_s = {};  ///< seconds on any steady clock
    std::size_t candidates = std::numeric_limits<std::size_t>::max();  ///< at most, beside the planner's own plan
    double resolution = 0.02;                                          ///< the minimum relative gain that counts
    std::size_t heat = 6;            ///< candidates at a time, including the one to beat
    std::vector<Answer> known = {};  ///< whole plans to try first: those that were good for similar problems
};

/// One candidate in one comparison.
struct TriedPlan {
    std::string question;
    Answer decisions;
    std::string plan;  ///< first line and passes
    Standing standing;
};

struct Defect {
    Answer decisions;
    std::string what;
};

struct SearchResult {
    Answer decisions;  ///< the best; empty for the planner's plan
    Plan plan;         ///< the plan of these decisions
    double ms = 0;     ///< in the last comparison
    double heuristic_ms = 0;
    std::optional<TriedPlan> in_use;    ///< the plan without this search, if that is not the planner's own
    std::vector<TriedPlan> finalists;   ///< of the last comparison: the planner's plan, and the best other one
    std::vector<TriedPlan> attempts;    ///< of all comparisons before it
    std::vector<Rejection> rejections;  ///< not tried, and why
    std::vector<Defect> defects;        ///< tried, and wrong or failing
    bool finished = false;              ///< every question was asked before the budget ended
};

/// Throws InvalidProblem for the problem itself, and DeviceError if the planner's plan cannot compete: it does not run,
/// or computes wrongly.
[[nodiscard]] SearchResult search(const Problem& problem, const DeviceTraits& traits, Arena& arena,
                                  const SearchSettings& settings);

}  // namespace clconv
