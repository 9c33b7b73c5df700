// SPDX-License-Identifier: Apache-2.0
// PSFs made larger and smaller: sums, centres and second moments are those of the interpolated plane.

#include "psf/resize.h"

#include "base/errors.h"
#include "psf/origin.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace clconv {
namespace {

Psf gaussian(double sigma, Extent extent, Position origin)
{
    Psf psf{"gaussian", extent, 1, origin, {}};
    for (int y = 0; y < extent.height; ++y)
        for (int x = 0; x < extent.width; ++x)
            psf.weights.push_back(
                std::exp(-(std::pow(x - origin.x, 2) + std::pow(y - origin.y, 2)) / (2 * sigma * sigma)));
    return psf;
}

double sum(const Psf& psf) { return std::accumulate(psf.weights.begin(), psf.weights.end(), 0.0); }

double variance_of_columns(const Psf& psf)
{
    double result = 0;
    for (int y = 0; y < psf.extent.height; ++y)
        for (int x = 0; x < psf.extent.width; ++x) result += std::pow(x - psf.origin.x, 2) * psf.at(x, y, 0);
    return result / sum(psf);
}

TEST(ResizedPsf, KeepsItsSumItsCentreAndTheShapeOfTheLinearInterpolation)
{
    const Psf psf = gaussian(4, {41, 41}, {20, 20});
    for (const double factor : {0.25, 0.6, 1.0, 1.7, 3.0}) {
        const Psf result = resized(psf, factor);
        EXPECT_NEAR(sum(result), sum(psf), 1e-9 * sum(psf)) << factor;
        EXPECT_EQ(result.extent.width % 2, 1);
        EXPECT_EQ(result.origin, (Position{result.extent.width / 2, result.extent.height / 2}));
        EXPECT_NEAR(centroid(result).x, result.origin.x, 1e-9) << factor;
        // Interpolating widens by 1/6 of a source pixel squared, the new pixels by 1/12 of their own.
        const double expected = factor * factor * (variance_of_columns(psf) + 1.0 / 6) + 1.0 / 12;
        EXPECT_NEAR(variance_of_columns(result), expected, 0.003 * expected) << factor;
    }
}

TEST(ResizedPsf, IsWideEnoughAndNoWider)
{
    const Psf box{"box", {5, 3}, 1, {2, 1}, std::vector<double>(15, 1)};
    EXPECT_EQ(resized(box, 2).extent, (Extent{11, 7}));
    EXPECT_EQ(resized(box, 0.2).extent, (Extent{1, 1}));
    EXPECT_DOUBLE_EQ(resized(box, 0.2).weights[0], 15);
}

TEST(ResizedPsf, PutsAnOriginBesideTheCentreInTheMiddle)
{
    Psf psf{"corner", {4, 2}, 1, {0, 1}, std::vector<double>(8, 0.0)};
    psf.weights[4] = 1;  // the origin
    const Psf result = resized(psf, 3);
    EXPECT_NEAR(centroid(result).x, result.origin.x, 1e-12);
    EXPECT_NEAR(centroid(result).y, result.origin.y, 1e-12);
}

TEST(ResizedPsf, RefusesWhatNoPsfMayBe)
{
    EXPECT_THROW((void)resized(gaussian(4, {41, 41}, {20, 20}), 1000), InvalidProblem);
}

}  // namespace
}  // namespace clconv
