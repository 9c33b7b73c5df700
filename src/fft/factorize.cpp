// SPDX-License-Identifier: Apache-2.0
#include "fft/factorize.h"

#include "fft/radix.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

namespace clconv {
namespace {

/// The cheapest factorizations found so far, shared between the lengths of one search.
class Factorizer {
public:
    explicit Factorizer(const RadixRules& rules) : rules_(rules)
    {
        for (const Radix& radix : supported_radices())
            if (radix.size <= rules.largest && is_allowed(radix.size))
                stages_.push_back({radix.size, rules.cost(radix.size)});
    }

    /// A lower bound for the cost of sequences with a product of at least `length`. Each radix r adds ln r to the
    /// logarithm of the product, and no radix does so for less than the cheapest cost(r) / ln r.
    [[nodiscard]] double min_cost(int length) const
    {
        double min_rate = std::numeric_limits<double>::infinity();
        for (const Stage& stage : stages_) min_rate = std::min(min_rate, stage.cost / std::log(stage.radix));
        return stages_.empty() ? 0 : min_rate * std::log(length);
    }

    std::optional<Factorization> find(int length)
    {
        if (!rules_.must_contain_largest) return finished(length, {});
        if (length % rules_.largest != 0) return std::nullopt;
        return finished(length / rules_.largest, {rules_.largest});
    }

private:
    struct Stage {
        int radix;
        double cost;
    };
    struct Best {
        double cost = -1;  ///< negative: no factorization
        int radix = 1;     ///< of one stage of the cheapest sequence
    };

    [[nodiscard]] bool is_allowed(int radix) const
    {
        return rules_.only.empty() || std::find(rules_.only.begin(), rules_.only.end(), radix) != rules_.only.end();
    }

    Best best(int length)
    {
        if (length == 1) return {0, 1};
        if (const auto known = known_.find(length); known != known_.end()) return known->second;
        Best found;
        for (const Stage& stage : stages_) {
            if (length % stage.radix != 0) continue;
            const Best rest = best(length / stage.radix);
            if (rest.cost < 0) continue;
            const double cost = rest.cost + stage.cost;
            if (found.cost < 0 || cost < found.cost) found = {cost, stage.radix};
        }
        known_[length] = found;
        return found;
    }

    std::optional<Factorization> finished(int rest, std::vector<int> radices)
    {
        if (best(rest).cost < 0) return std::nullopt;
        while (rest > 1) {
            const int radix = best(rest).radix;
            radices.push_back(radix);
            rest /= radix;
        }
        double cost = 0;
        for (const int radix : radices) cost += rules_.cost(radix);
        std::sort(radices.begin(), radices.end(), std::greater<>());
        if (rules_.ascending) std::reverse(radices.begin(), radices.end());
        return Factorization{std::move(radices), cost};
    }

    const RadixRules& rules_;
    std::vector<Stage> stages_;
    std::unordered_map<int, Best> known_;
};

}  // namespace

int line_length(std::span<const int> radices)
{
    constexpr long long maximum = std::numeric_limits<int>::max();
    long long length = 1;
    for (const int radix : radices) length = std::min(maximum, length * radix);
    return static_cast<int>(length);
}

std::optional<Factorization> factorize(int length, const RadixRules& rules) { return Factorizer(rules).find(length); }

std::optional<GoodLength> good_length(int minimum, const RadixRules& rules)
{
    Factorizer factorizer(rules);
    const int last = std::min(kMaxLine, 2 * minimum + rules.largest);
    std::optional<GoodLength> best;
    double best_cost = 0;
    const double min_rate = factorizer.min_cost(minimum) + 1;
    for (int length = minimum; length <= last; ++length) {
        if (best && length * min_rate >= best_cost) break;  // no longer one can be better
        const auto factorization = factorizer.find(length);
        if (!factorization) continue;
        const double cost = length * (factorization->cost + 1);
        if (best && cost >= best_cost) continue;
        best = GoodLength{length, *factorization};
        best_cost = cost;
    }
    return best;
}

}  // namespace clconv
