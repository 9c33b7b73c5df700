// SPDX-License-Identifier: Apache-2.0
// Every radix as a transform by itself, forward against the definition in double, and back again.

#include "passes/line_transform.h"

#include "base/errors.h"
#include "fft/reference_dft.h"
#include "support/complex_lines.h"
#include "support/straight_radices.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace clconv::test {
namespace {

constexpr int kLines = 2;

int product(const std::vector<int>& radices)
{
    return std::accumulate(radices.begin(), radices.end(), 1, std::multiplies<>());
}

/// What a work-group may use; `banks`: plan pads as for a GPU's local memory.
struct Limits {
    std::uint64_t local_memory;
    int group;
    bool banks;
};
constexpr Limits kLarge{1 << 20, 1024, false};
constexpr Limits kSmall{32768, 256, true};

LinePlan local_plan(const std::vector<int>& radices, const Limits& limits)
{
    LinePlan plan{.radices = radices, .residence = Residence::local, .lines = 1, .local = {}};
    const int largest = *std::max_element(radices.begin(), radices.end());
    const auto shape = local_line({.radices = radices,
                                   .local_memory = limits.local_memory,
                                   .max_group = limits.group,
                                   .max_values = std::max(40, 2 * largest),
                                   .banks = limits.banks});
    if (!shape) throw InternalError("no shape for a test's line");
    plan.local = *shape;
    return plan;
}

LinePlan global_plan(const std::vector<int>& radices)
{
    return {.radices = radices, .residence = Residence::global, .lines = 1, .local = {}};
}

/// Relative rounding error that is allowed. Every stage of radix R is log2 R levels of fused operations whose errors,
/// of half a spacing (6e-8) and random sign, add up like a walk: 6e-8 sqrt(log2 N) on the average, twice that with the
/// rounded twiddles, and again for an odd radix's sums. A wrong twiddle or index costs 1e-2 and more.
double allowed(int length) { return 2.4e-7 * std::sqrt(std::log2(length)); }

void expect_transforms(const LinePlan& plan)
{
    const int length = product(plan.radices);
    SCOPED_TRACE(testing::Message() << "a line of " << length << " by " << testing::PrintToString(plan.radices) << " "
                                    << name_of(plan.residence));
    LineTransform::Lines lines;
    std::vector<std::complex<double>> spectra, values;
    for (unsigned line = 0; line < kLines; ++line) {
        const auto random = random_line(length, line + 1);
        const auto spectrum = reference_dft(random, Direction::forward);
        values.insert(values.end(), random.begin(), random.end());
        spectra.insert(spectra.end(), spectrum.begin(), spectrum.end());
        for (const auto& value : random) lines.emplace_back(value);
    }
    LineTransform transform(*test_device(), KernelSource::embedded(), plan);
    const LineTransform::Lines forward = transform.forward(lines);
    EXPECT_LE(distance<float>(forward, spectra), allowed(length));
    LineTransform::Lines back = transform.back(forward);
    for (auto& value : back) value /= static_cast<float>(length);
    EXPECT_LE(distance<float>(back, values), 2 * allowed(length));
}

/// Each program holds two radices, because a compiler takes most of the time. What a stage in the middle does, the
/// first and the last do too: it puts its values like the one and takes them like the other.
TEST(EveryStraightRadix, TransformsInAWorkGroupAsTheFirstAndAsTheLastStage)
{
    const std::vector<int> radices = straight_radices();
    const std::size_t count = radices.size();
    // Half the list apart, so that no line has large radices alone.
    for (std::size_t i = 0; i < count; ++i)
        expect_transforms(local_plan({radices[i], radices[(i + count / 2) % count]}, kSmall));
}

TEST(EveryStraightRadix, TransformsAsADirectSumInTheFirstOrTheLastStage)
{
    std::vector<int> radices = straight_radices();
    std::erase_if(radices, [](int radix) { return radix > 16; });  // 32 takes PoCL half a minute
    ASSERT_EQ(radices.size() % 2, 0u);
    for (std::size_t i = 0; i < radices.size() / 2; ++i) {
        // Back, the last is the first.
        LinePlan plan = local_plan({radices[i], radices[radices.size() - 1 - i]}, kSmall);
        plan.butterflies = Butterflies::direct;
        expect_transforms(plan);
    }
}

TEST(LineTransform, OneStageAloneIsRight)
{
    for (const int radix : {2, 9, 16, 32}) expect_transforms(local_plan({radix}, kLarge));
}

TEST(EveryGenericRadix, TransformsInAWorkGroup)
{
    // A generic butterfly fills a work-item by itself: beside it the other stage would be unrolled radix / 2 times,
    // which takes a compiler minutes.
    for (const Radix& radix : supported_radices())
        if (radix.butterfly == Butterfly::generic) expect_transforms(local_plan({radix.size}, kLarge));
    expect_transforms(local_plan({2, 64}, kSmall));
}

/// A kernel is one stage, whatever the others are.
TEST(EveryRadix, TransformsThroughGlobalMemory)
{
    for (const Radix& each : supported_radices()) {
        const int radix = each.size;
        for (const auto& radices : {std::vector{radix}, {2, radix}, {radix, 3}})
            expect_transforms(global_plan(radices));
        if (radix <= 64) expect_transforms(global_plan({radix, radix}));
    }
}

TEST(LineTransform, ManyStagesOfDifferentRadicesAreRight)
{
    expect_transforms(local_plan({7, 5, 4, 3, 2}, kSmall));
    expect_transforms(local_plan({2, 16, 3}, kLarge));
    for (const auto& radices : {std::vector{7, 5, 4, 3, 2}, {2, 3, 4, 5, 7}, {4, 13, 2, 11}})
        expect_transforms(global_plan(radices));
}

TEST(LineTransform, AsManyStagesAsAKernelHasAreRight)
{
    expect_transforms(local_plan(std::vector<int>(kMaxLocalStages, 2), kLarge));
}

TEST(LineTransform, ASplitExchangeIsRight)
{
    const LinePlan plan = local_plan({9, 7, 5}, {9 * 7 * 5 * 5, 64, true});
    ASSERT_TRUE(plan.local.exchange == ExchangeForm::split);
    expect_transforms(plan);
}

TEST(LineTransform, APingPongExchangeIsRightForEvenAndOddNumbersOfStages)
{
    for (const auto& radices : {std::vector{9, 5}, {9, 5, 4}, {2, 3, 4, 5}, {2, 2, 2, 2, 2}}) {
        LinePlan plan{.radices = radices, .residence = Residence::local, .lines = 1, .local = {}};
        plan.local = local_line({.radices = radices, .max_group = 16, .exchange = ExchangeForm::ping_pong}).value();
        expect_transforms(plan);
    }
}

TEST(LineTransform, AWorkGroupThatDividesNoStagesButterfliesIsRight)
{
    LinePlan plan{.radices = {11, 9, 7}, .residence = Residence::local, .lines = 1, .local = {}};
    plan.local = local_line({.radices = plan.radices, .items = 20}).value();  // 63, 77 and 99 butterflies
    expect_transforms(plan);
}

}  // namespace
}  // namespace clconv::test
