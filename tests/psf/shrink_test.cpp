// SPDX-License-Identifier: Apache-2.0
#include "psf/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clconv::test {
namespace {

Psf gaussian(double sigma, int size)
{
    Psf psf{"gaussian", {size, size}, 1, {size / 2, size / 2}, {}};
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
            psf.weights.push_back(
                std::exp(-(std::pow(x - size / 2, 2) + std::pow(y - size / 2, 2)) / (2 * sigma * sigma)));
    return psf;
}

double sum_of(const Psf& psf) { return std::accumulate(psf.weights.begin(), psf.weights.end(), 0.0); }

double variance_of(const Psf& psf)
{
    double sum = 0;
    for (int y = 0; y < psf.extent.height; ++y)
        for (int x = 0; x < psf.extent.width; ++x) sum += psf.at(x, y, 0) * std::pow(x - psf.origin.x, 2);
    return sum / sum_of(psf);
}

TEST(ShrunkPsf, KeepsTheSumAndLeavesRoomForWhatTheTentsBlur)
{
    const Psf psf = gaussian(12, 121);
    for (const int factor : {2, 4}) {
        const ShrunkPsf small = shrunk(psf, factor);
        EXPECT_NEAR(sum_of(small.psf) / sum_of(psf), 1, 1e-12);
        // In samples of the image: two tents of factor^2 / 6 + 1 / 12 each.
        const double of_tents = 2 * (factor * factor / 6.0 + 1 / 12.0);
        EXPECT_NEAR(variance_of(small.psf) * factor * factor + of_tents, variance_of(psf), 1e-3 * variance_of(psf));
        EXPECT_LT(small.misplaced, 1e-3);
    }
}

TEST(ShrunkPsf, SaysHowMuchOfANarrowOneIsMisplaced)
{
    EXPECT_GT(shrunk(gaussian(1, 9), 4).misplaced, 0.3);
    EXPECT_GT(shrunk(gaussian(3, 25), 4).misplaced, shrunk(gaussian(3, 25), 2).misplaced);
}

TEST(ShrunkPsf, IsNowhereNegativeUnlessThePsfIs)
{
    Psf box{"box", {41, 41}, 1, {20, 20}, std::vector<double>(41 * 41, 1.0)};
    for (const double weight : shrunk(box, 2).psf.weights) EXPECT_GE(weight, 0);
    box.weights[0] = -1;
    const Psf small = shrunk(box, 2).psf;
    EXPECT_LT(*std::min_element(small.weights.begin(), small.weights.end()), 0);
    EXPECT_NEAR(sum_of(small), sum_of(box), 1e-9);
}

}  // namespace
}  // namespace clconv::test
