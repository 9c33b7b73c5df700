// SPDX-License-Identifier: Apache-2.0
// General and special programs give the same bytes, so that either may run at any time.
#include "support/convolution_case.h"
#include "support/full.h"

#include "passes/recipes.h"

#include <gtest/gtest.h>

#include <set>

namespace clconv::test {
namespace {

struct Kind {
    const char* name;
    std::vector<const char*> decisions;
};

/// All kinds of plans with programs of their own. Small radices and tiles, because a compiler takes most of the time.
const std::vector<Kind> kKinds = {
    {"lines as the device has them", {"method=fft"}},
    {"tiles as the device has them", {"method=tiled"}},
    {"direct", {"method=direct"}},
    {"lines shared", {"method=fft", "lanes=1", "row-largest=4", "column-largest=4"}},
    {"tiles shared", {"method=tiled", "lanes=1", "tile=32x32"}},
    {"lines in global memory", {"method=fft", "residence=global"}},
};

Decisions decisions_for(const Case& c, const Kind& kind, Programs programs)
{
    Decisions decisions;
    for (const char* decision : kind.decisions) decide(decisions, decision);
    if (programs == Programs::special && !shapes_are_decided(decisions)) {
        // The shapes of general programs. On a GPU, special programs would choose others by themselves.
        const Problem any = problem_of(c);
        decisions = decisions_of(make_plan(any, test_device()->info().traits, decisions));
    }
    decisions.programs = programs;
    return decisions;
}

Bytes convolved(const Case& c, const Decisions& decisions, SampleType type)
{
    const RandomImage image = random_image(c.image, c.channels, type, 1);
    const auto psf = std::make_shared<const Psf>(random_psf(c.psf, c.psf_channels, c.origin, 2));
    ConvolveSettings settings{c.border, {0.25}, c.mode, false, decisions};
    settings.precision = c.precision;
    Convolver convolver(test_device(), KernelSource::embedded(), settings);
    return convolver.convolve(image.view, psf, type).samples;
}

void expect_same(const Case& c, SampleType type, const std::vector<Kind>& kinds)
{
    for (const Kind& kind : kinds) {
        const Bytes general = convolved(c, decisions_for(c, kind, Programs::general), type);
        const Bytes special = convolved(c, decisions_for(c, kind, Programs::special), type);
        ASSERT_EQ(general.size(), special.size());
        EXPECT_EQ(std::memcmp(general.data(), special.data(), general.size()), 0)
            << kind.name << ": " << token(problem_of(c)) << " of " << name_of(type);
    }
}

// Both kinds have the same text, in which sizes are arguments or constants. So each way to use a size comes up in one
// of two cases: strides of interleaved channels, of planes and of PSFs by channel, the divisor's, offsets of both
// modes, tables of a border or none. A mode between these two and other types of samples would use no other sizes.

TEST(Programs, GeneralAndSpecialOnesGiveTheSameBytes)
{
    expect_same({{60, 44}, 3, {9, 7}, {2, 5}, 3, Border::renormalize, Mode::full}, SampleType::u8, kKinds);
}

TEST(Programs, GeneralAndSpecialOnesGiveTheSameBytesWithSpectraInHalf)
{
    Case c{{61, 45}, 2, {9, 7}, {4, 3}, 1, Border::mirror, Mode::valid};
    c.precision = Precision::half;
    expect_same(c, SampleType::half, mostly_full(kKinds, {kKinds[0], kKinds[2], kKinds[3]}));
}

/// Special programs compute the nearest column, where others read it from a table.
TEST(Programs, GeneralAndSpecialOnesGiveTheSameBytesWithTheBorderClamp)
{
    const std::vector<Kind> shared{kKinds[3]};
    for (const Mode mode : {Mode::same, Mode::full})
        expect_same({{60, 44}, 3, {9, 7}, {2, 5}, 3, Border::clamp, mode}, SampleType::u8, shared);
    expect_same({{5, 44}, 1, {21, 7}, {20, 5}, 1, Border::clamp, Mode::same}, SampleType::float32, shared);
}

TEST(Programs, OfLinesThatWorkItemsOwnAreTheSameForEverySize)
{
    Decisions decisions;
    decisions.method = Method::fft;
    decisions.lanes = 8;
    decisions.programs = Programs::general;
    DeviceTraits traits = test_device()->info().traits;
    traits.is_cpu = true;
    traits.local_memory = 1 << 20;
    std::set<std::string> programs;
    for (const Extent image : {Extent{64, 64}, Extent{300, 200}, Extent{1031, 517}, Extent{2000, 1400}}) {
        Problem problem = problem_of({image, 3, {31, 31}, {15, 15}});
        for (const Recipe& recipe : recipes_of(make_plan(problem, traits, decisions), traits))
            programs.insert(recipe.file + recipe.defines + recipe.options);
    }
    EXPECT_EQ(programs.size(), 2);
}

/// Every sequence of stages that lines of lanes may have: one stage, two, and up to six.
TEST(Programs, GeneralOnesAreRightForLinesOfAnyStages)
{
    for (const int width : {40, 100, 180, 400, 700, 1000, 2500, 3900})
        expect_right({{width, 3}, 2, {9, 5}, {4, 2}, 1, Border::clamp, Mode::same, with_method(Method::fft)},
                     test_device());
    for (const int height : {5, 17, 60, 250, 900, 1400, 4000})
        expect_right({{3, height}, 2, {5, 9}, {2, 4}, 1, Border::zero, Mode::same, with_method(Method::fft)},
                     test_device());
}

}  // namespace
}  // namespace clconv::test
