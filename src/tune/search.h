// Finding good decisions for one problem: question after question, the best answers so far kept.
//
// Pure: what a candidate costs is asked of an Arena, what time it is of a function. The planner's own plan is in every
// comparison, and a winner must beat it once more, in turns, at the end; else the planner is right.
#pragma once

#include "tune/candidates.h"
#include "tune/sampling.h"

#include <functional>
#include <string>
#include <vector>

namespace clconv {

/// Where plans compete. Candidates have numbers, from 0 in the order in which they entered, until the next call.
class Arena {
public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    virtual ~Arena() = default;

    /// Makes plans ready and checks what they compute. One string each: empty, or why the plan may not compete (it does
    /// not build, it computes wrongly, it writes beyond its buffers). `out_of_time` is asked before each: those that
    /// are left then get "out of time".
    virtual std::vector<std::string> enter(const std::vector<Plan>& plans,
                                           const std::function<bool()>& out_of_time) = 0;
    /// One sample, ms an image.
    virtual double sample(std::size_t candidate) = 0;
    /// How many plans of this kind may be ready at a time.
    virtual std::size_t capacity(const Plan& plan) = 0;
};

inline constexpr const char* kOutOfTime = "out of time";

struct SearchSettings {
    Decisions forced = {};
    double budget_s = 10;
    std::function<double()> now_s = {};  ///< seconds on any steady clock
    double resolution = 0.02;            ///< what counts as faster
    std::size_t heat = 6;                ///< candidates at a time, with the one to beat
    std::vector<Answer> known = {};      ///< whole plans to try first: what suited other problems like this one
};

/// One candidate as it stood in one comparison.
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
    Answer decisions;  ///< the best; empty: the planner's
    Plan plan;         ///< that they make
    double ms = 0;     ///< in the last comparison
    double heuristic_ms = 0;
    std::vector<TriedPlan> attempts;
    std::vector<Rejection> rejections;  ///< not tried, and why
    std::vector<Defect> defects;        ///< tried, and wrong or failing
    bool finished = false;              ///< every question was asked before time ran out
};

/// Throws InvalidProblem for the problem itself, and InternalError if even the planner's plan cannot compete.
[[nodiscard]] SearchResult search(const Problem& problem, const DeviceTraits& traits, Arena& arena,
                                  const SearchSettings& settings);

}  // namespace clconv
