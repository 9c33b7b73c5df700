// SPDX-License-Identifier: Apache-2.0
// Choosing the fastest on a noisy machine: the noise is synthetic, so that the truth is known.

#include "tune/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace clconv::test {
namespace {

/// Costs around true values, with a normal spread and, now and then, something else running.
class Noisy {
public:
    Noisy(std::vector<double> truth, double spread, double spikes, unsigned seed)
        : truth_(std::move(truth)), normal_(0, spread), spikes_(spikes), engine_(seed), calls(truth_.size())
    {
    }
    double operator()(std::size_t candidate)
    {
        ++calls[candidate];
        double cost = truth_[candidate] * (1 + std::abs(normal_(engine_)));
        if (uniform_(engine_) < spikes_) cost *= 1 + 4 * uniform_(engine_);
        return cost * (1 + drift * ++samples_);
    }
    double drift = 0;  ///< how much slower the machine becomes with each sample

private:
    std::vector<double> truth_;
    std::normal_distribution<double> normal_;
    std::uniform_real_distribution<double> uniform_{0, 1};
    double spikes_;
    std::mt19937 engine_;
    int samples_ = 0;

public:
    std::vector<int> calls;
};

constexpr unsigned kSeeds = 200;

template <class Experiment>
double share(const Experiment& experiment)
{
    int count = 0;
    for (unsigned seed = 0; seed < kSeeds; ++seed) count += experiment(seed);
    return count / static_cast<double>(kSeeds);
}

std::vector<Standing> sampled(Noisy& cost, std::size_t count)
{
    return sample_round_robin(count, [&](std::size_t c) { return cost(c); }, {.resolution = 0.02});
}

TEST(Sampling, WithoutNoiseTheFastestWins)
{
    Noisy cost({10, 9, 8, 12}, 0, 0, 1);
    EXPECT_EQ(winner(sampled(cost, 4), 0, 0.02), 2u);
}

TEST(Sampling, ADifferenceBelowTheResolutionLeavesTheIncumbent)
{
    Noisy cost({10, 9.9}, 0, 0, 1);
    EXPECT_EQ(winner(sampled(cost, 2), 0, 0.02), 0u);
}

TEST(Sampling, AClearWinnerIsFoundInNoiseAndSpikes)
{
    EXPECT_GE(share([](unsigned seed) {
                  Noisy cost({10, 8, 10.5, 11}, 0.05, 0.15, seed);
                  return winner(sampled(cost, 4), 0, 0.02) == 1;
              }),
              0.9);
}

TEST(Sampling, EqualsRarelyBeatTheIncumbent)
{
    EXPECT_LE(share([](unsigned seed) {
                  Noisy cost({10, 10, 10, 10, 10}, 0.05, 0.15, seed);
                  return winner(sampled(cost, 5), 0, 0.02) != 0;
              }),
              0.1);
}

TEST(Sampling, AMachineThatBecomesSlowerHurtsAllAlike)
{
    EXPECT_LE(share([](unsigned seed) {
                  Noisy cost({10, 10, 10, 10}, 0.02, 0, seed);
                  cost.drift = 0.01;
                  return winner(sampled(cost, 4), 0, 0.02) != 0;
              }),
              0.05);
}

TEST(Sampling, WhoIsClearlyBehindIsNotSampledToTheEnd)
{
    Noisy cost({10, 40, 14, 10.1}, 0.02, 0, 3);
    const auto standings = sampled(cost, 4);
    EXPECT_EQ(cost.calls, (std::vector{10, 2, 4, 10})) << "one of each is the warm-up";
    EXPECT_TRUE(standings[1].dropped && standings[2].dropped);
    EXPECT_FALSE(standings[0].dropped || standings[3].dropped);
}

TEST(Sampling, OneSlowSampleDropsNobody)
{
    int calls = 0;
    const auto standings =
        sample_round_robin(2, [&](std::size_t c) { return c == 1 && ++calls == 2 ? 100.0
                                                          : c == 1               ? 8.0
                                                                                 : 10.0; }, {});
    EXPECT_FALSE(standings[1].dropped);
    EXPECT_EQ(winner(standings, 0, 0.02), 1u);
}

TEST(Sampling, TheFirstSampleIsThrownAway)
{
    int calls = 0;
    const auto standings =
        sample_round_robin(1, [&](std::size_t) { return ++calls == 1 ? 1000.0 : 5.0; }, {.minimum = 3, .maximum = 3});
    EXPECT_EQ(standings[0].ms.median, 5);
    EXPECT_EQ(standings[0].ms.mad, 0);
    EXPECT_EQ(standings[0].samples, 3);
}

TEST(Sampling, StopsOnRequestButNotBeforeTheMinimum)
{
    SamplingRules rules;
    rules.stop = [] { return true; };
    const auto standings = sample_round_robin(
        2, [](std::size_t) { return 1.0; }, rules);
    EXPECT_EQ(standings[0].samples, rules.minimum);
}

TEST(TheLargerOfErrors, IsNoNumberIfEitherIsNone)
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(larger_error(1, 2), 2);
    EXPECT_EQ(larger_error(2, 1), 2);
    EXPECT_TRUE(std::isnan(larger_error(0, none)));
    EXPECT_TRUE(std::isnan(larger_error(none, 0)));
}

TEST(Duel, IsWonByTheFasterAndNotByAnEqual)
{
    const auto won = [](double challenger) {
        return share([=](unsigned seed) {
            Noisy cost({10, challenger}, 0.04, 0.15, seed);
            return duel([&](std::size_t c) { return cost(c); }, 8, 0.02).won;
        });
    };
    EXPECT_GE(won(8), 0.85);
    EXPECT_LE(won(10), 0.12);
    EXPECT_LE(won(12), 0.01);
}

}  // namespace
}  // namespace clconv::test
