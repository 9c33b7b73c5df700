// SPDX-License-Identifier: Apache-2.0
// One convolution of random data through the engine, against the direct double sum.
#pragma once

#include "engine/convolver.h"
#include "support/random_case.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

namespace clconv::test {

struct Case {
    Extent image;
    int channels = 1;
    Extent psf;
    Position origin;
    int psf_channels = 1;
    Border border = Border::clamp;
    Mode mode = Mode::same;
    Decisions decisions = {};
    Precision precision = Precision::float32;
};

inline Problem problem_of(const Case& c)
{
    return {.image = c.image,
            .channels = c.channels,
            .psf = c.psf,
            .origin = c.origin,
            .psf_channels = c.psf_channels,
            .border = c.border,
            .mode = c.mode,
            .precision = c.precision};
}

inline Decisions with_method(Method method)
{
    Decisions decisions;
    decisions.method = method;
    return decisions;
}

/// Programs for any sizes, which cases share: a compiler takes most of a test's time. That those for one problem give
/// the same bytes is the claim of programs_test.cpp.
inline Decisions in_general_programs(Decisions decisions)
{
    decisions.programs = Programs::general;
    return decisions;
}

inline Decisions with_residence(Residence residence)
{
    Decisions decisions = with_method(Method::fft);
    decisions.residence = residence;
    return in_general_programs(decisions);
}

/// The promised relative L2 error of a result in float. Float's rounding error grows with the logarithm of the padded
/// size, and a wrong index costs a thousand times the promise. In half each spectrum that is stored and the transfer
/// add up to 2^-12 a value, 2e-4 together. In double it is the rounding of the result, at most 2^-24 a value.
inline double tolerance(Precision precision)
{
    switch (precision) {
        case Precision::float32: return 1e-6;
        case Precision::half: return 1e-3;
        case Precision::float64: return 0x1p-24;
    }
    return 0;
}

/// Convolves random data and compares.
inline void expect_right(const Case& c, const std::shared_ptr<Device>& device)
{
    SCOPED_TRACE(token(problem_of(c)));
    const RandomImage image = random_image(c.image, c.channels, SampleType::float32, 1);
    const auto psf = std::make_shared<const Psf>(random_psf(c.psf, c.psf_channels, c.origin, 2));
    const std::vector<double> border_value{0.25};
    ConvolveSettings settings{c.border, border_value, c.mode, false, c.decisions};
    settings.precision = c.precision;
    Convolver convolver(device, KernelSource::embedded(), settings);
    const auto result = convolver.convolve(image.view, psf, SampleType::float32);
    const std::vector<double> values(static_cast<std::size_t>(c.channels), 0.25);
    const auto reference = direct_reference(problem_of(c), image.values, psf->weights, values);
    ASSERT_EQ(result.extent, output_extent(problem_of(c)));
    ASSERT_EQ(result.samples.size(), reference.size() * sizeof(float));
    const Errors errors = errors_of(result.samples.as<float>(), reference);
    EXPECT_LE(errors.plain, tolerance(c.precision)) << result.plan;
    // Where the engine takes the mean out before it transforms, the same promise holds for the detail alone, but for
    // the rounding of the stored result, whose spacing is relative to the mean.
    if (c.border != Border::zero) {
        EXPECT_LE(errors.without_mean, tolerance(c.precision) + 6e-8 * errors.mean_to_detail) << result.plan;
    }
}

}  // namespace clconv::test
