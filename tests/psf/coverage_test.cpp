// SPDX-License-Identifier: Apache-2.0
#include "psf/coverage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace clconv {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(Coverage, IsAreaWhicheverWayRoundTheCornersGo)
{
    std::vector<Point> triangle = {{-2.3, -1.1}, {3.7, 0.4}, {0.2, 4.9}};
    const Frame frame{{13, 13}, {6, 6}};
    const std::vector<double> one = coverage(triangle, frame);
    EXPECT_NEAR(sum(one), area(triangle), 1e-12);
    std::swap(triangle[0], triangle[2]);
    const std::vector<double> other = coverage(triangle, frame);
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-12);
}

TEST(Coverage, OfEachPixelIsWhatRandomPointsSay)
{
    const std::vector<Point> arrow = {{-1.4, -0.6}, {2.2, 0.1}, {-1.1, 1.3}, {-0.3, 0.2}};  // not convex
    const Frame frame{{5, 3}, {2, 1}};
    const std::vector<double> areas = coverage(arrow, frame);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> within(-0.5, 0.5);
    constexpr int points = 40000;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 5; ++column) {
            int inside = 0;
            for (int i = 0; i < points; ++i) {
                const Point p{frame.x_of(column) + within(random), frame.y_of(row) + within(random)};
                bool in = false;
                for (std::size_t k = 0; k < arrow.size(); ++k) {
                    const Point& a = arrow[k];
                    const Point& b = arrow[(k + 1) % arrow.size()];
                    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) in = !in;
                }
                inside += in ? 1 : 0;
            }
            // Four standard deviations of a count.
            EXPECT_NEAR(areas[static_cast<std::size_t>(row) * 5 + static_cast<std::size_t>(column)],
                        static_cast<double>(inside) / points, 0.011);
        }
}

TEST(Coverage, OutsideOfTheFrameChangesNothingInside)
{
    const std::vector<Point> square = {{-20.25, -30}, {40.5, -30}, {40.5, 1.75}, {-20.25, 1.75}};
    const std::vector<double> areas = coverage(square, {{5, 5}, {2, 2}});
    for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 5; ++column)
            EXPECT_NEAR(areas[static_cast<std::size_t>(row) * 5 + static_cast<std::size_t>(column)], row < 4 ? 1 : 0.25,
                        1e-12);
}

}  // namespace
}  // namespace clconv
