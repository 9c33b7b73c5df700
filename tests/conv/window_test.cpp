// SPDX-License-Identifier: Apache-2.0
// The sliding window: which samples of the extended image the outputs depend on, and which samples of the PSF matter.

#include "conv/window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clconv::test {
namespace {

using testing::ElementsAre;

TEST(Window, LoadsFromThePsfsReachLeftOfTheImageToItsReachRightOfIt)
{
    const AxisProblem axis{.count = 5, .psf = 4, .origin = 1, .border = Border::mirror};
    const Window window = window_of(axis);
    EXPECT_EQ(window.taps, 4);
    EXPECT_EQ(window.output, 5);
    EXPECT_EQ(window.first_source, -2);  // the first output sees 4 - 1 - 1 samples to the left
    EXPECT_THAT(window_sources(axis, 8), ElementsAre(1, 0, 0, 1, 2, 3, 4, 4));
}

TEST(Window, BehindAllThatTheOutputsSeeThereIsNothing)
{
    const AxisProblem axis{.count = 3, .psf = 2, .origin = 0, .border = Border::wrap};
    EXPECT_THAT(window_sources(axis, 7), ElementsAre(2, 0, 1, 2, -1, -1, -1));
}

TEST(Window, AnEmptyBorderIsNothing)
{
    const AxisProblem axis{.count = 3, .psf = 3, .origin = 1, .border = Border::zero};
    EXPECT_THAT(window_sources(axis, 5), ElementsAre(-1, 0, 1, 2, -1));
}

TEST(Window, AnEmptyBorderLeavesOutThePsfSamplesThatOnlyMeetNothing)
{
    const Window window = window_of({.count = 3, .psf = 100, .origin = 40, .border = Border::zero});
    EXPECT_EQ(window.psf_first, 38);  // moves the last sample to the first output
    EXPECT_EQ(window.taps, 5);
    EXPECT_EQ(window.first_source, -2);
}

/// Against the definition: out[n] = sum over j of K[j] I[n + first output - (j - origin)].
TEST(Window, SlidesToTheSumOfTheDefinition)
{
    for (const Border border : {Border::zero, Border::clamp, Border::wrap, Border::reflect})
        for (const Mode mode : {Mode::same, Mode::full, Mode::valid})
            for (const int count : {1, 2, 7})
                for (const int psf : {1, 2, 5, 16})
                    for (const int origin : {0, psf / 2, psf - 1}) {
                        if (mode == Mode::valid && psf > count) continue;
                        const AxisProblem axis{count, psf, origin, border, mode};
                        const Window window = window_of(axis);
                        const auto sources = window_sources(axis, window.output + window.taps - 1);
                        const auto image = [](int x) { return 1.0 + x * x; };
                        const auto weight = [](int j) { return 2.0 + 3 * j; };
                        for (int n = 0; n < window.output; ++n) {
                            double expected = 0, sum = 0;
                            for (int j = 0; j < psf; ++j)
                                if (const auto x = source_index(border, n + first_output(axis) - (j - origin), count))
                                    expected += weight(j) * image(*x);
                            for (int t = 0; t < window.taps; ++t)
                                if (sources[n + t] >= 0)
                                    sum += weight(window.psf_first + window.taps - 1 - t) * image(sources[n + t]);
                            EXPECT_EQ(sum, expected) << name_of(border) << " " << name_of(mode) << " " << count << " "
                                                     << psf << "@" << origin << " output " << n;
                        }
                    }
}

}  // namespace
}  // namespace clconv::test
