// SPDX-License-Identifier: Apache-2.0
// Chooses the radices of a line, and line lengths with good radices.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace clconv {

/// The longest line that is planned, in samples. The intermediate of such a plane exceeds every device's memory.
inline constexpr int kMaxLine = 1 << 20;

/// The length of a line with these radices: their product, or the largest int if the product exceeds it.
[[nodiscard]] int line_length(std::span<const int> radices);

/// Which radices a line may use, and the cost of their stages per value.
struct RadixRules {
    int largest = 32;                       ///< no radix above this
    bool must_contain_largest = false;      ///< the sequence has at least one stage of radix `largest`
    std::function<double(int radix)> cost;  ///< of one stage, per value
    bool ascending = false;                 ///< the order of the result
    std::span<const int> only = {};         ///< if not empty, the only radices
};

struct Factorization {
    std::vector<int> radices;  ///< descending, unless the rules say ascending
    double cost = 0;           ///< sum of the stages' costs, per value
};

/// The cheapest sequence of allowed radices whose product is `length`, or none. A length of 1 has no stage.
[[nodiscard]] std::optional<Factorization> factorize(int length, const RadixRules& rules);

/// The length N >= `minimum` (and at most twice it, plus the largest radix) with the least N * (cost + 1).
/// None if no length there can be factorized.
struct GoodLength {
    int length = 0;
    Factorization factorization;
};
[[nodiscard]] std::optional<GoodLength> good_length(int minimum, const RadixRules& rules);

}  // namespace clconv
