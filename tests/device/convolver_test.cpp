// The engine against the direct double sum.

#include "engine/convolver.h"

#include "fft/radix.h"
#include "support/random_case.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

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

Problem problem_of(const Case& c)
{
    return {c.image,  c.channels, SampleType::float32, SampleType::float32, c.psf, c.origin, c.psf_channels,
            c.border, c.mode};
}

/// Convolves random data and compares. Tolerance: float's rounding error grows with the logarithm of the padded size;
/// 1e-6 is the promise, and what a wrong index costs is a thousand times that.
void expect_right(const Case& c, const std::shared_ptr<Device>& device)
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

Decisions with_method(Method method)
{
    Decisions decisions;
    decisions.method = method;
    return decisions;
}

Decisions with_residence(Residence residence)
{
    Decisions decisions = with_method(Method::fft);
    decisions.residence = residence;
    return decisions;
}

constexpr Border kBorders[] = {Border::zero,   Border::constant, Border::clamp,      Border::wrap,
                               Border::mirror, Border::reflect,  Border::renormalize};

TEST(Convolver, EveryBorderIsRightByFft)
{
    for (const Border border : kBorders)
        expect_right({{37, 29}, 1, {7, 5}, {2, 3}, 1, border, Mode::same, with_method(Method::fft)}, test_device());
}

TEST(Convolver, EveryBorderIsRightDirectly)
{
    for (const Border border : kBorders)
        expect_right({{37, 29}, 1, {7, 5}, {2, 3}, 1, border, Mode::same, with_method(Method::direct)}, test_device());
}

TEST(Convolver, EveryBorderIsRightThroughGlobalMemory)
{
    for (const Border border : kBorders)
        expect_right({{37, 29}, 1, {7, 5}, {2, 3}, 1, border, Mode::same, with_residence(Residence::global)},
                     test_device());
}

TEST(Convolver, EveryBorderIsRightWithTheLimitsOfASmallGpu)
{
    for (const Border border : kBorders)
        expect_right({{37, 29}, 1, {7, 5}, {2, 3}, 1, border, Mode::same, with_method(Method::fft)},
                     small_device(32768, 256));
}

TEST(Convolver, EveryModeIsRightForEveryBorderAndAnEvenPsf)
{
    for (const Border border : kBorders)
        for (const Mode mode : {Mode::full, Mode::valid})
            expect_right({{20, 33}, 2, {8, 6}, {4, 3}, 2, border, mode, with_method(Method::fft)}, test_device());
}

TEST(Convolver, APsfLargerThanTheImageIsRight)
{
    for (const Border border : kBorders)
        for (const Mode mode : {Mode::same, Mode::full})
            expect_right({{9, 6}, 1, {31, 40}, {3, 35}, 1, border, mode, with_method(Method::fft)}, test_device());
}

TEST(Convolver, AOnePixelImageIsRight)
{
    for (const Border border : kBorders)
        expect_right({{1, 1}, 3, {5, 4}, {2, 2}, 1, border, Mode::same, with_method(Method::fft)}, test_device());
}

TEST(Convolver, AOnePixelPsfIsRight)
{
    expect_right({{13, 11}, 3, {1, 1}, {0, 0}, 3, Border::clamp, Mode::same, with_method(Method::fft)}, test_device());
}

TEST(Convolver, OneRowAndOneColumnAreRight)
{
    expect_right({{50, 1}, 1, {9, 3}, {4, 1}, 1, Border::reflect, Mode::same, with_method(Method::fft)}, test_device());
    expect_right({{1, 50}, 1, {3, 9}, {1, 4}, 1, Border::mirror, Mode::same, with_method(Method::fft)}, test_device());
}

TEST(Convolver, EveryStraightRadixIsRightAlongBothAxes)
{
    for (const Radix radix : supported_radices()) {
        if (radix.size > 32) continue;
        SCOPED_TRACE(radix.size);
        Decisions decisions = with_method(Method::fft);
        decisions.radix_x.largest = decisions.radix_y.largest = radix.size;
        expect_right({{45, 35}, 1, {5, 7}, {1, 2}, 1, Border::zero, Mode::same, decisions}, test_device());
        decisions.residence = Residence::global;
        expect_right({{45, 35}, 1, {5, 7}, {1, 2}, 1, Border::zero, Mode::same, decisions}, test_device());
    }
}

TEST(Convolver, EveryGenericRadixIsRightThroughGlobalMemory)
{
    for (const int radix : {64, 128, 256, 512, 1024}) {
        SCOPED_TRACE(radix);
        Decisions decisions = with_residence(Residence::global);
        decisions.radix_x.largest = radix;
        decisions.radix_y.largest = 64;
        expect_right({{45, 35}, 1, {5, 7}, {1, 2}, 1, Border::clamp, Mode::same, decisions}, test_device());
    }
}

}  // namespace
}  // namespace clconv::test
