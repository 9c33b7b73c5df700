// SPDX-License-Identifier: Apache-2.0
// The divisor of renormalize against the sum by its definition.

#include "passes/coverage.h"

#include "conv/direct_reference.h"
#include "support/random_case.h"

#include <gtest/gtest.h>

#include <numeric>

namespace clconv::test {
namespace {

/// An image of ones, zero outside, convolved with the PSF.
std::vector<double> defined_coverage(Problem problem, const Psf& psf)
{
    problem.border = Border::zero;
    problem.channels = psf.channels;
    const std::vector<double> ones(problem.image.pixels() * psf.channels, 1.0);
    return direct_reference(problem, ones, psf.weights);
}

TEST(Coverage, IsThePsfsSumOverTheSamplesThatMeetTheImage)
{
    for (const Mode mode : {Mode::same, Mode::full})
        for (const Extent size : {Extent{3, 4}, Extent{6, 5}, Extent{1, 1}, Extent{13, 30}}) {
            const Psf psf = random_psf(size, 2, {size.width / 3, size.height / 2}, 1);
            const Problem problem{.image = {6, 5},
                                  .channels = 2,
                                  .psf = size,
                                  .origin = psf.origin,
                                  .psf_channels = 2,
                                  .border = Border::renormalize,
                                  .mode = mode};
            const std::vector<double> coverage = convolved_coverage(problem, psf);
            const std::vector<double> defined = defined_coverage(problem, psf);
            const std::size_t pixels = output_extent(problem).pixels();
            ASSERT_EQ(coverage.size(), 2 * pixels);
            for (std::size_t c = 0; c < 2; ++c)
                for (std::size_t i = 0; i < pixels; ++i)
                    ASSERT_NEAR(coverage[c * pixels + i], defined[i * 2 + c], 1e-6) << token(problem) << " at " << i;
        }
}

TEST(Coverage, IsThePsfsSumEverywhereIfTheBorderAlwaysContinues)
{
    const Psf psf = random_psf({5, 7}, 1, {4, 0}, 1);
    const double sum = std::accumulate(psf.weights.begin(), psf.weights.end(), 0.0);
    for (const BorderMode& mode : kBorders) {
        if (mode.is_empty) continue;
        const Problem problem{
            .image = {3, 4}, .psf = psf.extent, .origin = psf.origin, .border = mode.value, .mode = Mode::full};
        for (const double covered : convolved_coverage(problem, psf)) ASSERT_NEAR(covered, sum, 1e-6) << mode.name;
    }
}

TEST(Coverage, IsZeroWhereNothingCanBeSaid)
{
    // Where both weights meet the image they cancel out; at both ends only one does.
    const Psf psf{"difference", {2, 1}, 1, {0, 0}, {1, -1}};
    const Problem problem{.image = {3, 1},
                          .channels = 1,
                          .psf = {2, 1},
                          .origin = {0, 0},
                          .border = Border::renormalize,
                          .mode = Mode::full};
    EXPECT_EQ(convolved_coverage(problem, psf), (std::vector<double>{1, 0, 0, -1}));
    // These do not cancel out exactly in binary.
    const Psf rounded{"rounded", {3, 1}, 1, {1, 0}, {0.1, 0.2, -0.3}};
    const Problem inside{.image = {4, 1},
                         .channels = 1,
                         .psf = {3, 1},
                         .origin = {1, 0},
                         .border = Border::renormalize,
                         .mode = Mode::valid};
    EXPECT_EQ(convolved_coverage(inside, rounded), (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace clconv::test
