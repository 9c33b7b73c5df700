// SPDX-License-Identifier: Apache-2.0
// Padding, by brute force over every small problem: sums of integers, so that equal means equal.

#include "conv/axis.h"

#include "base/errors.h"
#include "conv/circular.h"
#include "fft/factorize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv::test {
namespace {

std::string named(const AxisProblem& p)
{
    return std::to_string(p.count) + " samples, PSF " + std::to_string(p.psf) + "@" + std::to_string(p.origin) + " " +
           std::string(name_of(p.border)) + " " + std::string(name_of(p.mode));
}

TEST(Padding, WrapAroundNeverReachesTheKeptRegion)
{
    for_each_axis_problem([](const AxisProblem& p) {
        const Samples image = random_samples(p.count, 1), psf = random_samples(p.psf, 2);
        ASSERT_EQ(circular_outputs(padded_axis(p), p.border, image, psf), defined_outputs(p, image, psf)) << named(p);
    });
}

TEST(Padding, AnyGreaterLengthIsAsGood)
{
    for_each_axis_problem([](const AxisProblem& p) {
        const Samples image = random_samples(p.count, 3), psf = random_samples(p.psf, 4);
        for (const int more : {1, 2, 7, 30}) {
            Axis axis = padded_axis(p);
            axis.length += more;
            ASSERT_EQ(circular_outputs(axis, p.border, image, psf), defined_outputs(p, image, psf)) << named(p);
        }
    });
}

TEST(Padding, OnePositionLessWouldBeWrong)
{
    for_each_axis_problem([](const AxisProblem& p) {
        const Samples image = random_samples(p.count, 5), psf = random_samples(p.psf, 6);
        Axis axis = padded_axis(p);
        --axis.length;
        if (axis.length < std::max(axis.loaded, axis.output)) return;  // data and result must at least fit
        ASSERT_NE(circular_outputs(axis, p.border, image, psf), defined_outputs(p, image, psf)) << named(p);
    });
}

TEST(Padding, PartsHaveTheResultOfTheWhole)
{
    for_each_axis_problem([](AxisProblem p) {
        const Samples image = random_samples(p.count, 9), psf = random_samples(p.psf, 10);
        for (const int parts : {2, 3, 100}) {
            p.parts = parts;
            const Axis axis = padded_axis(p);
            ASSERT_LE(axis.parts, parts) << named(p);
            ASSERT_EQ(circular_outputs(axis, p.border, image, psf), defined_outputs(p, image, psf)) << named(p);
            ASSERT_EQ(circular_outputs(with_length(axis, axis.length + 5), p.border, image, psf),
                      defined_outputs(p, image, psf))
                << named(p);
        }
    });
}

TEST(Padding, PartsAreEqualAndBeginWhereAllSourcesDo)
{
    const Axis axis = padded_axis({.count = 1000, .psf = 31, .origin = 15, .border = Border::zero, .parts = 3});
    EXPECT_EQ(axis.parts, 3);
    EXPECT_EQ(axis.part, 336);
    EXPECT_EQ(axis.first_source, -16);
    EXPECT_EQ(axis.length, 336 + 30 + 1);  // one more, so that the first source is a multiple of kPartStep
    EXPECT_EQ(padded_axis({.count = 9, .psf = 3, .origin = 1, .parts = 8}).parts, 3);  // of 4, 4 and 1
}

TEST(Padding, OnePartIsTheWhole)
{
    for (const Border border : {Border::zero, Border::clamp}) {
        AxisProblem p{.count = 3, .psf = 3, .origin = 1, .border = border};
        const Axis whole = padded_axis(p);
        p.parts = 2;
        EXPECT_EQ(padded_axis(p), whole);
    }
}

TEST(Padding, HalfAPsfIsEnoughWhereOutsideIsZero)
{
    EXPECT_EQ(padded_axis({1000, 101, 50, Border::zero, Mode::same}).length, 1050);
    EXPECT_EQ(padded_axis({1000, 100, 50, Border::zero, Mode::same}).length, 1050);
    EXPECT_EQ(padded_axis({1000, 101, 50, Border::zero, Mode::full}).length, 1100);
    EXPECT_EQ(padded_axis({1000, 101, 50, Border::zero, Mode::valid}).length, 1000);
}

TEST(Padding, PsfSamplesThatReachNoOutputAreLeftOut)
{
    // A PSF of 1000 around an image of 10: only 19 of its samples bring one pixel to another.
    const Axis axis = padded_axis({10, 1000, 500, Border::zero, Mode::same});
    EXPECT_EQ(axis.psf_count, 19);
    EXPECT_EQ(axis.psf_first, 500 - 9);
    EXPECT_EQ(axis.length, 19);
}

TEST(Padding, ABorderWithValuesLoadsAllThatTheOutputsSee)
{
    const Axis axis = padded_axis({1000, 101, 30, Border::clamp, Mode::same});
    EXPECT_EQ(axis.loaded, 1100);
    EXPECT_EQ(axis.first_source, -70);
    EXPECT_TRUE(axis.extended());
    EXPECT_FALSE(padded_axis({1000, 101, 30, Border::zero, Mode::same}).extended());
}

TEST(Padding, ALineBeyondTheLongestIsRefusedByItsNumbers)
{
    try {
        (void)padded_axis({kMaxLine, 2, 0, Border::clamp, Mode::same});
        FAIL();
    } catch (const InvalidProblem& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("1048576 samples"));
        EXPECT_THAT(error.what(), testing::HasSubstr("PSF of 2"));
    }
}

TEST(Padding, ALineHoldsAllThatValidPositionsSeeWithoutRoomForThePsf)
{
    EXPECT_EQ(padded_axis({kMaxLine, 600'000, 0, Border::zero, Mode::valid}).length, kMaxLine);
    EXPECT_THROW((void)padded_axis({kMaxLine + 1, 600'000, 0, Border::zero, Mode::valid}), TooLarge);
}

TEST(Padding, TheLongestImageIsOneLessThanIsRefused)
{
    for (const Mode mode : {Mode::same, Mode::full, Mode::valid}) {
        AxisProblem axis{10, 9, 4, Border::clamp, mode};
        axis.count = max_count(axis);
        EXPECT_LE(padded_axis(axis).length, kMaxLine) << name_of(mode);
        ++axis.count;
        EXPECT_THROW((void)padded_axis(axis), TooLarge) << name_of(mode);
    }
}

TEST(CircularAxis, TheWrapBorderIsTheLinesOwnPeriod)
{
    for_each_axis_problem([](const AxisProblem& p) {
        const auto axis = circular_axis(p);
        if (!axis) return;
        EXPECT_EQ(axis->length, p.count);
        const Samples image = random_samples(p.count, 7), psf = random_samples(p.psf, 8);
        ASSERT_EQ(circular_outputs(*axis, p.border, image, psf), defined_outputs(p, image, psf)) << named(p);
    });
}

TEST(CircularAxis, ExistsForWrapOnlyAndNotForFull)
{
    for_each_axis_problem([](const AxisProblem& p) {
        EXPECT_EQ(circular_axis(p).has_value(), p.border == Border::wrap && p.mode != Mode::full) << named(p);
    });
}

TEST(Ring, HoldsAllThatThePsfReachesAtBothEndsAndSharesTheRest)
{
    for_each_axis_problem([](AxisProblem p) {
        if (p.mode != Mode::same) return;
        p.support = KernelSupport::infinite;
        const int before = p.psf - 1 - p.origin, behind = p.origin;
        for (const int more : {0, 1, 6}) {
            const Axis axis = with_length(padded_axis(p), p.count + p.psf - 1 + more);
            std::vector<int> coordinates, wanted;
            for (int n = 0; n < axis.length; ++n) coordinates.push_back(coordinate_at(axis, n));
            for (int n = 0; n < p.count + behind + more / 2; ++n) wanted.push_back(n);
            for (int n = -before - (more + 1) / 2; n < 0; ++n) wanted.push_back(n);
            ASSERT_EQ(coordinates, wanted) << named(p);
        }
        ASSERT_EQ(padded_axis(p).length, p.count + p.psf - 1) << named(p);
    });
}

TEST(SourceRuns, AreAsLongAsPositionsAndSamplesRunTogether)
{
    std::vector<std::vector<int>> found;
    for (const SourceRun& run : source_runs({-1, -1, 0, 1, 2, 2, 1, -1}))
        found.push_back({run.first, run.source, run.count});
    const std::vector<std::vector<int>> wanted{{0, -1, 2}, {2, 0, 3}, {5, 2, 1}, {6, 1, 1}, {7, -1, 1}};
    EXPECT_EQ(found, wanted);
    EXPECT_TRUE(source_runs({}).empty());
}

}  // namespace
}  // namespace clconv::test
