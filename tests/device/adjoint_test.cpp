// SPDX-License-Identifier: Apache-2.0
// Adjoint convolutions against their law, <A x, y> = <x, A' y>, and against direct double sums.

#include "base/errors.h"
#include "support/adjoint_case.h"
#include "support/full.h"

#include <gtest/gtest.h>

#include <functional>

namespace clconv::test {
namespace {

/// Every border and mode, and PSFs of odd, of even and of mixed sizes with origins off their centres.
void expect_adjoints(const Decisions& decisions, const std::shared_ptr<Device>& device)
{
    struct Shape {
        Extent psf;
        Position origin;
    };
    const Shape shapes[] = {{{5, 3}, {2, 1}}, {{4, 6}, {2, 3}}, {{6, 5}, {0, 4}}};
    for (const Border border : mostly_full(all_values<Border>(), {Border::wrap, Border::reflect, Border::renormalize}))
        for (const Mode mode : all_values<Mode>())
            for (const Shape& shape : shapes)
                expect_adjoint({{23, 17}, 2, shape.psf, shape.origin, 2, border, mode, decisions}, device);
}

TEST(Adjoint, IsThatOfEveryBorderAndModeWithLinesOfWorkItems)
{
    expect_adjoints(with_method(Method::fft), test_device());
}

TEST(Adjoint, IsThatOfEveryBorderAndModeWithLinesOfWorkGroups)
{
    expect_adjoints(in_general_programs(with_method(Method::fft)), small_gpu());
}

TEST(Adjoint, IsThatOfEveryBorderAndModeThroughGlobalMemory)
{
    expect_adjoints(with_residence(Residence::global), test_device());
}

TEST(Adjoint, IsThatOfEveryBorderAndModeByTiles) { expect_adjoints(with_method(Method::tiled), test_device()); }

TEST(Adjoint, IsThatOfEveryBorderAndModeByDirectSums) { expect_adjoints(with_method(Method::direct), test_device()); }

TEST(Adjoint, IsThatOfAPsfLargerThanTheImage)
{
    for (const Border border : mostly_full(all_values<Border>(), {Border::zero, Border::mirror}))
        for (const Mode mode : {Mode::same, Mode::full})
            expect_adjoint({{9, 6}, 2, {31, 20}, {3, 15}, 1, border, mode, with_method(Method::fft)}, test_device());
}

TEST(Adjoint, IsThatOfALineOfExactlyOnePeriod)
{
    Decisions decisions = with_method(Method::fft);
    decisions.radix_x.sequence = {8, 8};
    decisions.radix_y.sequence = {6, 4};
    const Case c{{64, 24}, 1, {6, 5}, {1, 4}, 1, Border::wrap, Mode::same, decisions};
    ASSERT_EQ(padded_extent(make_plan(problem_of(c), test_device()->info().traits, c.decisions)), c.image);
    expect_adjoint(c, test_device());
}

TEST(Adjoint, IsThatOfOnePixel)
{
    for (const Border border : mostly_full(all_values<Border>(), {Border::constant, Border::clamp}))
        expect_adjoint({{1, 1}, 1, {4, 3}, {2, 1}, 1, border, Mode::same, with_method(Method::fft)}, test_device());
}

/// The first result of the full extent is made of the PSF's first sample alone.
TEST(Adjoint, OfAResultWithoutCoverageIsNothing)
{
    const Case c{{9, 6}, 2, {4, 6}, {2, 3}, 2, Border::renormalize, Mode::full, with_method(Method::direct)};
    Psf psf = random_psf(c.psf, c.psf_channels, c.origin, 2);
    psf.weights.front() = 0;
    expect_adjoint(c, psf, test_device());
}

TEST(Adjoint, WhatIsNotLinearHasNone)
{
    const DeviceTraits traits = test_device()->info().traits;
    const Problem problem{.image = {20, 20}, .psf = {3, 3}, .origin = {1, 1}};
    const auto refused = [&](const std::function<void(Problem&)>& change) {
        Problem changed = problem;
        change(changed);
        EXPECT_THROW((void)adjoint_of(make_plan(changed, traits), traits), InvalidProblem) << token(changed);
    };
    refused([](Problem& p) { p.input = SampleType::u8; });
    refused([](Problem& p) { p.encode_srgb = true; });
    refused([](Problem& p) { p.blend.blend = Blend::sum; });
    refused([](Problem& p) { p.precision = Precision::half; });
}

}  // namespace
}  // namespace clconv::test
