// SPDX-License-Identifier: Apache-2.0
// Sample types in and out: integers are read as the numbers that they stand for, and results are rounded to nearest.

#include "support/convolution_case.h"
#include "support/sample_steps.h"

#include <gtest/gtest.h>

#include <cmath>

namespace clconv::test {
namespace {

Problem problem_with(SampleType input, SampleType output)
{
    return {.image = {19, 11},
            .channels = 1,
            .input = input,
            .output = output,
            .psf = {4, 3},
            .origin = {2, 1},
            .border = Border::clamp};
}

Convolver::Output convolved(const RandomImage& image, const Psf& psf, SampleType output, const Decisions& decisions,
                            const std::shared_ptr<Device>& device = test_device())
{
    Convolver convolver(device, KernelSource::embedded(), {Border::clamp, {}, Mode::same, false, decisions});
    return convolver.convolve(image.view, std::make_shared<const Psf>(psf), output);
}

void expect_rounded_to_nearest(SampleType input, SampleType output, const Decisions& decisions,
                               const std::shared_ptr<Device>& device = test_device())
{
    const Problem problem = problem_with(input, output);
    const RandomImage image = random_image(problem.image, problem.channels, input, 1);
    const Psf psf = random_psf(problem.psf, 1, problem.origin, 2);
    const auto result = convolved(image, psf, output, decisions, device);
    const auto reference = direct_reference(problem, image.values, psf.weights);
    ASSERT_EQ(result.samples.size(), reference.size() * bytes_of(output));
    double sum = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double error = value_at(result.samples, output, i) - reference[i];
        ASSERT_LE(std::abs(error), half_a_step(output, reference[i]) + kComputation) << token(problem) << " at " << i;
        sum += error;
    }
    // Truncation would leave every sample half a step too low on the average; rounding's mean error is 0.29 steps over
    // the root of the 209 samples: 0.02 steps.
    EXPECT_LE(std::abs(sum / static_cast<double>(reference.size())), half_a_step(output, 1) / 4 + kComputation)
        << token(problem);
}

// Loading knows nothing of the type that is stored, and each method has its own loads and stores. So each method loads
// each type once and stores each type once, paired in another way. All 25 pairs come up once in the first five ways.

/// Type `i` in, type `i + offset` out.
void expect_types_rounded_to_nearest(std::size_t offset, const Decisions& decisions,
                                     const std::shared_ptr<Device>& device = test_device())
{
    for (std::size_t i = 0; i < kSampleTypes.size(); ++i)
        expect_rounded_to_nearest(kSampleTypes[i], kSampleTypes[(i + offset) % kSampleTypes.size()], decisions, device);
}

TEST(EveryTypePair, IsRoundedToNearestByFft) { expect_types_rounded_to_nearest(0, with_method(Method::fft)); }

TEST(EveryTypePair, IsRoundedToNearestByFftOnAGpu)
{
    expect_types_rounded_to_nearest(1, with_method(Method::fft), small_gpu());
}

TEST(EveryTypePair, IsRoundedToNearestDirectly) { expect_types_rounded_to_nearest(2, with_method(Method::direct)); }

TEST(EveryTypePair, IsRoundedToNearestInTiles) { expect_types_rounded_to_nearest(3, with_method(Method::tiled)); }

TEST(EveryTypePair, IsRoundedToNearestInTilesOnAGpu)
{
    Decisions decisions = in_general_programs(with_method(Method::tiled));
    decisions.tile = {32, 32};
    expect_types_rounded_to_nearest(4, decisions, small_gpu());
}

TEST(EveryTypePair, IsRoundedToNearestThroughGlobalMemory)
{
    expect_types_rounded_to_nearest(0, with_residence(Residence::global));
}

/// A one-sample PSF of that weight: every sample times `weight`.
Psf gain(double weight) { return {"gain", {1, 1}, 1, {0, 0}, {weight}}; }

TEST(Samples, IntegersAreClampedAtBothEnds)
{
    const RandomImage image = random_image({19, 11}, 1, SampleType::u8, 3);
    for (const Method method : {Method::direct, Method::tiled, Method::fft})
        for (const SampleType type : {SampleType::u8, SampleType::u16}) {
            const auto bright = convolved(image, gain(3), type, with_method(method));
            const auto negative = convolved(image, gain(-1), type, with_method(method));
            for (std::size_t i = 0; i < image.values.size(); ++i) {
                EXPECT_NEAR(value_at(bright.samples, type, i), std::min(1.0, 3 * image.values[i]), 2.0 / 255);
                EXPECT_EQ(value_at(negative.samples, type, i), 0);
            }
        }
}

TEST(Samples, FloatsAndHalvesAreNotClamped)
{
    const RandomImage image = random_image({19, 11}, 1, SampleType::float32, 4);
    for (const SampleType type : {SampleType::half, SampleType::float32})
        for (const double weight : {3.0, -1.0}) {
            const auto result = convolved(image, gain(weight), type, with_method(Method::direct));
            for (std::size_t i = 0; i < image.values.size(); ++i) {
                const double expected = weight * image.values[i];
                EXPECT_NEAR(value_at(result.samples, type, i), expected,
                            half_a_step(type, std::abs(expected)) + kComputation);
            }
        }
}

TEST(Samples, EveryCodeComesBackFromAPsfThatChangesNothing)
{
    RandomImage image = random_image({256, 2}, 1, SampleType::u8, 5);
    for (int i = 0; i < 512; ++i) image.samples.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(i);
    for (const Method method : {Method::direct, Method::tiled, Method::fft}) {
        const auto result = convolved(image, gain(1), SampleType::u8, with_method(method));
        for (int i = 0; i < 512; ++i) EXPECT_EQ(result.samples.as<std::uint8_t>()[i], i % 256);
    }
}

}  // namespace
}  // namespace clconv::test
