// SPDX-License-Identifier: Apache-2.0
// The engine against the direct double sum.

#include "fft/lane_line.h"
#include "support/convolution_case.h"
#include "support/full.h"
#include "support/straight_radices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace clconv::test {
namespace {

// Two channels everywhere, because the number of channels makes a program another one and most sizes do not.

TEST(Convolver, EveryBorderIsRightByFft)
{
    for (const Border border : all_values<Border>())
        expect_right({{37, 29}, 2, {7, 5}, {2, 3}, 2, border, Mode::same, with_method(Method::fft)}, test_device());
}

TEST(Convolver, EveryBorderIsRightDirectly)
{
    for (const Border border : all_values<Border>())
        expect_right({{37, 29}, 2, {7, 5}, {2, 3}, 2, border, Mode::same, with_method(Method::direct)}, test_device());
}

TEST(Convolver, EveryBorderIsRightThroughGlobalMemory)
{
    for (const Border border : mostly_full(all_values<Border>(), {Border::mirror, Border::renormalize}))
        expect_right({{37, 29}, 2, {7, 5}, {2, 3}, 2, border, Mode::same, with_residence(Residence::global)},
                     test_device());
}

TEST(Convolver, EveryBorderIsRightWithTheLimitsOfASmallGpu)
{
    for (const Border border : mostly_full(all_values<Border>(), {Border::wrap, Border::renormalize}))
        expect_right({{37, 29}, 2, {7, 5}, {2, 3}, 2, border, Mode::same, with_method(Method::fft)}, small_gpu());
}

TEST(Convolver, EveryModeIsRightForEveryBorderAndAnEvenPsf)
{
    for (const Border border :
         mostly_full(all_values<Border>(), {Border::constant, Border::reflect, Border::renormalize}))
        for (const Mode mode : {Mode::full, Mode::valid})
            expect_right({{20, 33}, 2, {8, 6}, {4, 3}, 2, border, mode, with_method(Method::fft)}, test_device());
}

TEST(Convolver, APsfLargerThanTheImageIsRight)
{
    for (const Border border : mostly_full(all_values<Border>(), {Border::wrap, Border::reflect, Border::renormalize}))
        for (const Mode mode : {Mode::same, Mode::full})
            expect_right({{9, 6}, 2, {31, 40}, {3, 35}, 1, border, mode, with_method(Method::fft)}, test_device());
}

TEST(Convolver, AOnePixelImageIsRight)
{
    for (const Border border : mostly_full(all_values<Border>(), {Border::wrap, Border::reflect, Border::renormalize}))
        expect_right({{1, 1}, 2, {5, 4}, {2, 2}, 1, border, Mode::same, with_method(Method::fft)}, test_device());
}

TEST(Convolver, AOnePixelPsfIsRight)
{
    expect_right({{13, 11}, 2, {1, 1}, {0, 0}, 2, Border::clamp, Mode::same, with_method(Method::fft)}, test_device());
}

TEST(Convolver, OneRowAndOneColumnAreRight)
{
    expect_right({{50, 1}, 2, {9, 3}, {4, 1}, 1, Border::reflect, Mode::same, with_method(Method::fft)}, test_device());
    expect_right({{1, 50}, 2, {3, 9}, {1, 4}, 1, Border::mirror, Mode::same, with_method(Method::fft)}, test_device());
}

/// Only rows pair butterflies. What columns do with a radix is what a line by itself does, where each has each place
/// (line_transform_test.cpp), so a few sequences are enough for them: the largest radix, and odd ones first and last.
TEST(Convolver, EveryStraightRadixIsRightPairedInRows)
{
    const std::vector<int> columns[] = {{32, 2}, {9, 10}, {12, 13}};
    int next = 0;
    for (const int radix : mostly_full(straight_radices(), {2, 5, 7, 13, 16})) {
        SCOPED_TRACE(radix);
        const int butterflies = radix % 4 < 2 ? 4 : 3;  // an even and an odd number have pairs of different kinds
        Decisions decisions = in_general_programs(with_method(Method::fft));
        decisions.radix_x.sequence = {butterflies, radix};
        decisions.radix_y.sequence = columns[next++ % 3];
        const int rows = decisions.radix_y.sequence[0] * decisions.radix_y.sequence[1];
        const Extent image{butterflies * radix - 1, rows - 1};  // the lines are exactly full
        expect_right({image, 2, {3, 2}, {1, 1}, 1, Border::zero, Mode::same, decisions}, small_gpu());
    }
}

TEST(Convolver, EveryForcedRadixIsRightInLanes)
{
    if (!test_device()->info().traits.is_cpu) GTEST_SKIP() << "work-items of GPUs share lines";
    for (const int radix : mostly_full(std::vector{9, 10, 11, 12, 13, 14, 16, 18, 20, 24, 32}, {13, 24})) {
        SCOPED_TRACE(radix);
        Decisions decisions = with_method(Method::fft);
        decisions.lanes = kLanes;
        decisions.radix_x.sequence = {radix, 8, 8};
        decisions.radix_y.sequence = {radix, 3};
        expect_right({{64 * radix - 1, 3 * radix - 1}, 1, {3, 2}, {1, 1}, 1, Border::zero, Mode::same, decisions},
                     test_device());
    }
}

TEST(Convolver, EveryGenericRadixIsRightThroughGlobalMemory)
{
    for (const int radix : mostly_full(std::vector{64, 128, 256, 512, 1024}, {64, 1024})) {
        SCOPED_TRACE(radix);
        Decisions decisions = with_residence(Residence::global);
        decisions.radix_x.largest = radix;
        decisions.radix_y.largest = 64;
        expect_right({{45, 35}, 2, {5, 7}, {1, 2}, 1, Border::clamp, Mode::same, decisions}, test_device());
    }
}

/// A stage of a result's times, if it has one.
bool has_stage(const Convolver::Output& output, const std::string& stage)
{
    return std::ranges::any_of(output.times, [&](const StageTime& time) { return time.stage == stage; });
}

void expect_rows_once_for_all_psfs(const Decisions& decisions)
{
    const bool keeps = test_device()->info().traits.is_cpu;  // only plans of lanes do
    const Case c{{37, 29}, 3, {7, 5}, {3, 2}, 3, Border::reflect, Mode::same, decisions};
    ConvolveSettings settings{c.border, {}, c.mode, false, c.decisions};
    settings.several_psfs = true;
    Convolver convolver(test_device(), KernelSource::embedded(), settings);
    const std::shared_ptr<const Psf> psfs[] = {std::make_shared<const Psf>(random_psf(c.psf, 3, c.origin, 2)),
                                               std::make_shared<const Psf>(random_psf(c.psf, 3, c.origin, 3))};
    // The last image is the first one's equal in size, but nothing is known of it.
    for (const std::uint64_t id : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{0}}) {
        SCOPED_TRACE(id);
        const RandomImage image = random_image(c.image, c.channels, SampleType::float32, static_cast<int>(10 + id));
        ImageView view = image.view;
        view.id = id;
        for (const auto& psf : psfs) convolver.start(view, psf, SampleType::float32);
        for (const auto& psf : psfs) {
            const Convolver::Output result = convolver.finish();
            EXPECT_EQ(has_stage(result, "rows"), !keeps || id == 0 || psf == psfs[0]);
            EXPECT_TRUE(has_stage(result, "columns"));
            const auto reference = direct_reference(problem_of(c), image.values, psf->weights);
            EXPECT_LE(errors_of(result.samples.as<float>(), reference).plain, tolerance(Precision::float32));
        }
    }
}

TEST(Convolver, RowsOfAnImageAreTransformedOnceForAllItsPsfs)
{
    Decisions decisions = with_method(Method::fft);
    expect_rows_once_for_all_psfs(decisions);
    decisions.column_parts = 3;
    expect_rows_once_for_all_psfs(decisions);
}

}  // namespace
}  // namespace clconv::test
