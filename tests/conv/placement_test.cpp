// SPDX-License-Identifier: Apache-2.0
// A placed PSF holds each of its samples where the axes want it.

#include "conv/placement.h"

#include "conv/circular.h"

#include <gtest/gtest.h>

#include <numeric>

namespace clconv::test {
namespace {

/// A padded plane with the PSF in it, by the placed PSF's tables.
std::vector<double> plane_of(const PlacedPsf& placed, const Axis& x, const Axis& y, int channel)
{
    std::vector<double> plane(static_cast<std::size_t>(x.length) * y.length);
    for (int v = 0; v < y.length; ++v)
        for (int u = 0; u < x.length; ++u) {
            const int row = placed.rows[v], column = placed.columns[u];
            if (row >= 0 && column >= 0)
                plane[static_cast<std::size_t>(v) * x.length + u] =
                    placed.weights[(static_cast<std::size_t>(channel) * placed.height + row) * placed.width + column];
        }
    return plane;
}

/// The same by the definition: every sample that matters, added at its position.
std::vector<double> defined_plane(const std::vector<double>& weights, Extent psf, const Axis& x, const Axis& y,
                                  int channel)
{
    std::vector<double> plane(static_cast<std::size_t>(x.length) * y.length);
    for (int j = y.psf_first; j < y.psf_first + y.psf_count; ++j)
        for (int i = x.psf_first; i < x.psf_first + x.psf_count; ++i)
            plane[static_cast<std::size_t>(psf_position(y, j)) * x.length + psf_position(x, i)] +=
                weights[(static_cast<std::size_t>(channel) * psf.height + j) * psf.width + i];
    return plane;
}

void expect_placed(const AxisProblem& along_x, const AxisProblem& along_y, const Axis& x, const Axis& y)
{
    const Extent psf{along_x.psf, along_y.psf};
    std::vector<double> weights(psf.pixels() * 2);
    std::iota(weights.begin(), weights.end(), 1.0);  // integers: sums are exact in float
    const PlacedPsf placed = place_psf(weights, psf, 2, x, y);
    ASSERT_EQ(placed.columns.size(), static_cast<std::size_t>(x.length));
    ASSERT_EQ(placed.rows.size(), static_cast<std::size_t>(y.length));
    for (const int channel : {0, 1})
        EXPECT_EQ(plane_of(placed, x, y, channel), defined_plane(weights, psf, x, y, channel));
}

TEST(Placement, EverySampleStandsAtItsPosition)
{
    for (const Border border : {Border::zero, Border::clamp})
        for (const Mode mode : {Mode::same, Mode::full, Mode::valid}) {
            const AxisProblem along_x{9, 4, 1, border, mode}, along_y{7, 5, 4, border, mode};
            expect_placed(along_x, along_y, padded_axis(along_x), padded_axis(along_y));
        }
}

TEST(Placement, SamplesThatReachNoOutputAreNotStored)
{
    const AxisProblem along_x{3, 50, 20, Border::zero, Mode::same}, along_y{2, 40, 39, Border::zero, Mode::same};
    const Axis x = padded_axis(along_x), y = padded_axis(along_y);
    expect_placed(along_x, along_y, x, y);
    const PlacedPsf placed = place_psf(std::vector<double>(50 * 40, 1.0), {50, 40}, 1, x, y);
    EXPECT_EQ(placed.width, 5);   // two pixels either way
    EXPECT_EQ(placed.height, 2);  // the PSF ends at its origin
}

TEST(Placement, SamplesThatMeetOnACircleAreSummed)
{
    const AxisProblem along{3, 8, 2, Border::wrap, Mode::same};
    const Axis circle = *circular_axis(along);
    expect_placed(along, along, circle, circle);
    const PlacedPsf placed = place_psf(std::vector<double>(64, 1.0), {8, 8}, 1, circle, circle);
    EXPECT_EQ(placed.width, 3);
    EXPECT_EQ(std::accumulate(placed.weights.begin(), placed.weights.end(), 0.0f), 64);
}

TEST(Placement, MeetingSamplesAreSummedInDouble)
{
    const AxisProblem along{1, 3, 0, Border::wrap, Mode::same};
    const Axis circle = *circular_axis(along);
    const PlacedPsf placed =
        place_psf(std::vector<double>{1e9, 0.5, -1e9, 0, 0, 0, 0, 0, 0}, {3, 3}, 1, circle, circle);
    EXPECT_EQ(placed.weights.at(0), 0.5f);
}

}  // namespace
}  // namespace clconv::test
