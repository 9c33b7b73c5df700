// SPDX-License-Identifier: Apache-2.0
// Radix sequences and good lengths against trying everything.

#include "fft/factorize.h"

#include "fft/radix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace clconv::test {
namespace {

double cost_of(int radix) { return 8 + operations_per_value(*supported_radix(radix)); }

RadixRules rules(int largest, bool must_contain_largest = false)
{
    return {largest, must_contain_largest, cost_of, false};
}

int product(const std::vector<int>& radices)
{
    return std::accumulate(radices.begin(), radices.end(), 1, std::multiplies<>());
}

/// The minimum cost of any sequence, found by trying all; negative if there is none.
double cheapest(int length, int largest, int maximum)
{
    if (length == 1) return 0;
    double best = -1;
    for (const Radix& radix : supported_radices()) {
        if (radix.size > std::min(largest, maximum) || length % radix.size != 0) continue;
        const double rest = cheapest(length / radix.size, largest, radix.size);  // descending: each set once
        if (rest >= 0 && (best < 0 || rest + cost_of(radix.size) < best)) best = rest + cost_of(radix.size);
    }
    return best;
}

TEST(Factorize, IsTheCheapestOfAllSequences)
{
    for (const int largest : {2, 5, 16, 32, 64})
        for (int length = 2; length <= 600; ++length) {
            const auto found = factorize(length, rules(largest));
            const double best = cheapest(length, largest, largest);
            ASSERT_EQ(found.has_value(), best >= 0) << length;
            if (!found) continue;
            EXPECT_EQ(product(found->radices), length);
            EXPECT_NEAR(found->cost, best, 1e-9) << length;
            EXPECT_LE(*std::max_element(found->radices.begin(), found->radices.end()), largest);
            EXPECT_TRUE(std::is_sorted(found->radices.rbegin(), found->radices.rend()));
        }
}

TEST(Factorize, IsTheSameSetAscendingIfRequested)
{
    RadixRules ascending = rules(32);
    ascending.ascending = true;
    for (const int length : {2, 24, 1000, 4608}) {
        auto found = factorize(length, ascending).value();
        EXPECT_TRUE(std::is_sorted(found.radices.begin(), found.radices.end())) << length;
        std::reverse(found.radices.begin(), found.radices.end());
        EXPECT_EQ(found.radices, factorize(length, rules(32))->radices);
    }
}

TEST(Factorize, ALengthOfOneHasNoStage)
{
    const auto found = factorize(1, rules(32));
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->radices.empty());
    EXPECT_EQ(found->cost, 0);
}

TEST(Factorize, APrimeAboveThirteenHasNone)
{
    for (const int prime : {17, 19, 23, 997, 65537}) EXPECT_FALSE(factorize(prime, rules(1024))) << prime;
    EXPECT_TRUE(factorize(13, rules(32)));
}

TEST(Factorize, ARequiredLargestRadixIsContained)
{
    for (const Radix& radix : supported_radices())
        for (const int rest : {1, 2, 12}) {
            const auto found = factorize(radix.size * rest, rules(radix.size, true));
            if (!found) continue;  // a rest with primes above the radix
            EXPECT_EQ(found->radices.front(), radix.size);
            EXPECT_EQ(product(found->radices), radix.size * rest);
        }
    EXPECT_FALSE(factorize(27, rules(32, true)));
}

TEST(GoodLength, IsTheCheapestInItsRange)
{
    for (int minimum = 2; minimum <= 300; ++minimum) {
        const auto good = good_length(minimum, rules(32));
        ASSERT_TRUE(good);
        EXPECT_EQ(product(good->factorization.radices), good->length);
        EXPECT_GE(good->length, minimum);
        const double cost = good->length * (good->factorization.cost + 1);
        for (int length = minimum; length <= 2 * minimum + 32; ++length) {
            const auto other = factorize(length, rules(32));
            if (other) {
                EXPECT_LE(cost, length * (other->cost + 1) + 1e-9) << minimum << ": " << length;
            }
        }
    }
}

TEST(GoodLength, IsNotAlwaysThePowerOfTwo)
{
    const auto good = good_length(1100, rules(32));
    ASSERT_TRUE(good);
    EXPECT_LT(good->length, 1400);
}

TEST(GoodLength, HoldsForEveryLargestRadixThatMustBeContained)
{
    for (const Radix& radix : supported_radices())
        for (const int minimum : {2, 47, 1000}) {
            const auto good = good_length(minimum, rules(radix.size, true));
            ASSERT_TRUE(good) << radix.size << " from " << minimum;
            EXPECT_EQ(good->factorization.radices.front(), radix.size);
            EXPECT_GE(good->length, minimum);
        }
}

TEST(GoodLength, NothingIsLongerThanTheLongestLine)
{
    const auto good = good_length(kMaxLine, rules(32));
    ASSERT_TRUE(good);
    EXPECT_EQ(good->length, kMaxLine);
    EXPECT_FALSE(good_length(kMaxLine + 1, rules(32)));
}

}  // namespace
}  // namespace clconv::test
