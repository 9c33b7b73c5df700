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
};

inline constexpr Border kBorders[] = {Border::zero,   Border::constant, Border::clamp,      Border::wrap,
                                      Border::mirror, Border::reflect,  Border::renormalize};

inline Problem problem_of(const Case& c)
{
    return {c.image,  c.channels, SampleType::float32, SampleType::float32, c.psf, c.origin, c.psf_channels,
            c.border, c.mode};
}

inline Decisions with_method(Method method)
{
    Decisions decisions;
    decisions.method = method;
    return decisions;
}

inline Decisions with_residence(Residence residence)
{
    Decisions decisions = with_method(Method::fft);
    decisions.residence = residence;
    return decisions;
}

/// Convolves random data and compares. Tolerance: float's rounding error grows with the logarithm of the padded size;
/// 1e-6 is the promise, and what a wrong index costs is a thousand times that.
inline void expect_right(const Case& c, const std::shared_ptr<Device>& device)
{
    SCOPED_TRACE(token(problem_of(c)));
    const RandomImage image = random_image(c.image, c.channels, SampleType::float32, 1);
    const auto psf = std::make_shared<const Psf>(random_psf(c.psf, c.psf_channels, c.origin, 2));
    const std::vector<double> border_value{0.25};
    Convolver convolver(device, KernelSource::embedded(), {c.border, border_value, c.mode, false, c.decisions});
    const auto result = convolver.convolve(image.view, -1, psf, SampleType::float32);
    const std::vector<double> values(static_cast<std::size_t>(c.channels), 0.25);
    const auto reference = direct_reference(problem_of(c), image.values, psf->weights, values);
    ASSERT_EQ(result.extent, output_extent(problem_of(c)));
    ASSERT_EQ(result.samples.size(), reference.size() * sizeof(float));
    const Errors errors = errors_of(result.samples.as<float>(), reference);
    EXPECT_LE(errors.plain, 1e-6) << result.plan;
    // Where the engine takes the mean out before it transforms, the same promise holds for the detail alone, but for
    // the rounding of the stored result, whose spacing is relative to the mean.
    if (c.border != Border::zero) {
        EXPECT_LE(errors.without_mean, 1e-6 + 6e-8 * errors.mean_to_detail) << result.plan;
    }
}

}  // namespace clconv::test
