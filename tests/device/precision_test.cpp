// SPDX-License-Identifier: Apache-2.0
// --precision half and double, in every shape of the passes: as exact as promised, for any numbers.

#include "base/errors.h"
#include "fft/lane_line.h"
#include "support/convolution_case.h"
#include "support/full.h"

#include <gtest/gtest.h>

#include <cmath>

namespace clconv::test {
namespace {

/// A shape of the passes, and a device that takes it.
struct Shape {
    std::string_view name;
    Decisions decisions;
    bool gpu;

    [[nodiscard]] std::shared_ptr<Device> device() const { return gpu ? small_gpu() : test_device(); }
};

Decisions by_lanes(int lanes)
{
    Decisions decisions = in_general_programs(with_method(Method::fft));
    decisions.lanes = lanes;
    return decisions;
}

/// Small radices: PoCL's conversions of halves are long, and it compiles a copy for every value of a work-item.
Decisions by_work_groups()
{
    Decisions decisions = in_general_programs(with_method(Method::fft));
    decisions.radix_x.largest = decisions.radix_y.largest = 4;
    return decisions;
}

const Shape kLocal{"Local", by_work_groups(), true};
const Shape kByLanes{"Lanes", by_lanes(kLanes), false};
const Shape kByWideLanes{"WideLanes", by_lanes(kWideLanes), false};
const Shape kGlobal{"Global", with_residence(Residence::global), false};
const Shape kDirect{"Direct", with_method(Method::direct), false};

void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }

class EveryShape : public testing::TestWithParam<Shape> {
protected:
    void expect_right_in(Precision precision, Border border, Mode mode = Mode::same) const
    {
        expect_right({{37, 29}, 2, {7, 5}, {2, 3}, 2, border, mode, GetParam().decisions, precision},
                     GetParam().device());
    }
};

// One border that looks samples and rows up, and one that loads zeros and divides.
constexpr Border kKindsOfBorders[] = {Border::mirror, Border::renormalize};

TEST_P(EveryShape, IsRightInHalf)
{
    for (const Border border : kKindsOfBorders) expect_right_in(Precision::half, border);
}

TEST_P(EveryShape, IsRightInDouble)
{
    if (!test_device_info().traits.has_double) GTEST_SKIP() << "the device has no double";
    for (const Border border : kKindsOfBorders) expect_right_in(Precision::float64, border);
}

INSTANTIATE_TEST_SUITE_P(Precision, EveryShape, testing::Values(kLocal, kByLanes, kByWideLanes, kGlobal, kDirect),
                         [](const auto& given) { return std::string(given.param.name); });

TEST(Precision, EveryBorderIsRightInHalfAndInDouble)
{
    for (const Border border : mostly_full(all_values<Border>(), {Border::constant, Border::wrap})) {
        expect_right({{20, 33}, 2, {8, 6}, {4, 3}, 1, border, Mode::full, by_lanes(kLanes), Precision::half},
                     test_device());
        if (test_device_info().traits.has_double)
            expect_right({{20, 33}, 2, {8, 6}, {4, 3}, 1, border, Mode::full, by_lanes(kLanes), Precision::float64},
                         test_device());
    }
}

Convolver::Output convolved(const RandomImage& image, const Psf& psf, SampleType output, Precision precision,
                            const Shape& shape, Border border = Border::clamp)
{
    ConvolveSettings settings{border, {}, Mode::same, false, shape.decisions};
    settings.precision = precision;
    Convolver convolver(shape.device(), KernelSource::embedded(), settings);
    return convolver.convolve(image.view, std::make_shared<const Psf>(psf), output);
}

Problem float_problem(const RandomImage& image, const Psf& psf, Border border = Border::clamp)
{
    return {.image = image.view.extent,
            .channels = image.view.channels,
            .psf = psf.extent,
            .origin = psf.origin,
            .border = border};
}

/// Samples and weights, each times a factor. The error is relative to the result, for any factors.
Errors errors_at(double samples, double weights, const Shape& shape)
{
    RandomImage image = random_image({37, 29}, 2, SampleType::float32, 3);
    for (std::size_t i = 0; i < image.values.size(); ++i) {
        float& sample = image.samples.as<float>()[i];
        sample *= static_cast<float>(samples);
        if (i % 797 == 5) sample *= 50;  // lights that no sampling finds
        image.values[i] = sample;
    }
    Psf psf = random_psf({7, 5}, 1, {2, 3}, 4);
    for (double& weight : psf.weights) weight *= weights;
    const auto result = convolved(image, psf, SampleType::float32, Precision::half, shape);
    return errors_of<float>(result.samples.as<float>(),
                            direct_reference(float_problem(image, psf), image.values, psf.weights));
}

TEST(Half, HoldsWhateverSamplesAndWeightsAreWorth)
{
    for (const Shape& shape : {kLocal, kByLanes, kGlobal})
        for (const auto& [samples, weights] :
             {std::pair{1e4, 1.0}, {1e-6, 1.0}, {1.0, 1e6}, {1.0, 1e-6}, {1e12, 1e12}, {1e-9, 1e-9}}) {
            const Errors errors = errors_at(samples, weights, shape);
            EXPECT_LE(errors.plain, 1e-3) << shape.name << " " << samples << " * " << weights;
            EXPECT_LE(errors.without_mean, 1e-3) << shape.name << " " << samples << " * " << weights;
        }
}

TEST(Half, HoldsTheWorstCaseOfARow)
{
    // Nothing but ones, and no bias taken out: the sum of a row is as large as it can be. (3000 samples of eight lanes
    // would not fit a GPU's local memory.)
    RandomImage image = random_image({600, 5}, 2, SampleType::float32, 5);
    std::fill(image.values.begin(), image.values.end(), 1.0);
    for (float& sample : image.samples.as<float>()) sample = 1;
    const Psf psf = random_psf({5, 3}, 1, {2, 1}, 6);
    const auto reference = direct_reference(float_problem(image, psf, Border::zero), image.values, psf.weights);
    const auto result = convolved(image, psf, SampleType::float32, Precision::half, kByLanes, Border::zero);
    EXPECT_LE(errors_of<float>(result.samples.as<float>(), reference).plain, 1e-3);
}

TEST(Half, ImagesThatHoldOneValueStayAsTheyAre)
{
    for (const double value : {0.0, 1.0, 0.3, 7e4}) {
        RandomImage image = random_image({30, 20}, 2, SampleType::float32, 5);
        for (float& sample : image.samples.as<float>()) sample = static_cast<float>(value);
        const auto result =
            convolved(image, random_psf({5, 3}, 1, {2, 1}, 6), SampleType::float32, Precision::half, kByLanes);
        for (const float sample : result.samples.as<float>()) EXPECT_NEAR(sample, value, 1e-6 * value);
    }
}

TEST(Half, IntegersAreWithinACodeOfTheNearest)
{
    // A result's deviation from its mean is some nine codes; 1e-3 of that, five times over, is 0.05.
    const RandomImage image = random_image({37, 29}, 3, SampleType::u8, 7);
    const Psf psf = random_psf({7, 5}, 1, {2, 3}, 8);
    const auto reference = direct_reference(float_problem(image, psf), image.values, psf.weights);
    for (const Shape& shape : {kLocal, kByLanes}) {
        const auto result = convolved(image, psf, SampleType::u8, Precision::half, shape);
        for (std::size_t i = 0; i < reference.size(); ++i)
            ASSERT_NEAR(result.samples.as<std::uint8_t>()[i], 255 * reference[i], 0.5 + 0.05) << shape.name << " " << i;
    }
}

TEST(Double, IsTheNearestFloatOfTheTrueResult)
{
    if (!test_device_info().traits.has_double) GTEST_SKIP() << "the device has no double";
    const Psf psf = random_psf({7, 5}, 1, {2, 3}, 10);
    const auto check = [&](const Shape& shape, SampleType type) {
        const RandomImage image = random_image({37, 29}, 2, type, 9);
        const auto reference = direct_reference(float_problem(image, psf), image.values, psf.weights);
        const auto result = convolved(image, psf, SampleType::float32, Precision::float64, shape);
        for (std::size_t i = 0; i < reference.size(); ++i) {
            // Half the distance of floats there, and 1e-13 for the arithmetic: in float it would be 1e-7.
            const double half_a_step = std::ldexp(1.0, std::ilogb(reference[i]) - 24);
            ASSERT_NEAR(result.samples.as<float>()[i], reference[i], half_a_step + 1e-13) << shape.name << " " << i;
        }
    };
    for (const Shape& shape : {kLocal, kByLanes, kGlobal, kDirect}) check(shape, SampleType::float32);
    check(kByLanes, SampleType::u16);  // all load samples by the same text
}

TEST(Double, IsRefusedByADeviceWithoutIt)
{
    DeviceInfo info = test_device_info();
    info.traits.has_double = false;
    const RandomImage image = random_image({8, 8}, 1, SampleType::u8, 1);
    ConvolveSettings settings;
    settings.precision = Precision::float64;
    Convolver convolver(std::make_shared<Device>(info), KernelSource::embedded(), settings);
    const auto psf = std::make_shared<const Psf>(random_psf({3, 3}, 1, {1, 1}, 2));
    EXPECT_THROW((void)convolver.convolve(image.view, psf, SampleType::u8), DeviceError);
}

}  // namespace
}  // namespace clconv::test
