// SPDX-License-Identifier: Apache-2.0
// The candidates for a problem: questions about the plan's decisions, each with several answers.
//
// An answer is a list of KEY=VALUE for decide(). Questions are tried one after another, each on top of the best answers
// so far (src/tune/search.h). A named constraint removes answers that cannot run or are sure to lose.
#pragma once

#include "plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace clconv {

using Answer = std::vector<std::string>;

/// The topic of a question.
enum class Topic {
    method,
    radices,  ///< of the lines of a pass
    shape,    ///< of work-groups: lines, work-items, tiles, registers
    variant,  ///< a decision that lists its values
};

struct Question {
    Topic topic = Topic::variant;
    std::string name;
    std::vector<Answer> answers;  ///< the most promising first, without the one that changes nothing
};

/// Why an answer is not tried.
struct Rejection {
    Answer decisions;
    std::string constraint;  ///< its name
    std::string reason;
};

/// The questions about a problem on a device. Those that gain most in general come first.
[[nodiscard]] std::vector<Question> questions(const Problem& problem, const DeviceTraits& traits);

/// `base`, with the keys of `answer` replaced.
[[nodiscard]] Answer combined(const Answer& base, const Answer& answer);

/// The plan with these decisions on top of `forced`, or the reason not to try it.
struct Checked {
    std::optional<Plan> plan;
    Rejection rejection;
};
[[nodiscard]] Checked checked(const Problem& problem, const DeviceTraits& traits, const Decisions& forced,
                              const Answer& decisions);

/// Sequences of radices for an axis of at least `minimum` samples, the most promising first.
struct RadixWish {
    int minimum = 2;      ///< samples
    double margin = 0.1;  ///< how much longer a line may be
    int largest = 32;     ///< radix
    int last = 0;         ///< the sequence ends with this one; 0: any
    int multiple = 1;     ///< of the length
    std::size_t max_stages = 13;
    std::size_t count = 12;  ///< sequences
};
[[nodiscard]] std::vector<std::vector<int>> radix_sequences(const RadixWish& wish, Residence residence, bool lanes);

}  // namespace clconv
